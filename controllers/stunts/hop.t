SCRIPTS stand.t;
BEGINSCRIPT hop(void)
  PHASE 1
    ACTIONS
      LIPOSE bShoulder(1.05).time(0.3767);
      LIPOSE bHip(-0.6945, 67.6, 97.23).time(0.6713);
      LIPOSE bKnee(1.14, 157.5, 20.2).time(0.8796);
      LIPOSE bAnkle(-0.7016, 72.3, 48.1).time(0.6261);
      POSE bElbow(-0.6522, 160.1, 8.124);
      VFFB uTorso(1078, 82.08).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(2).after(time 0.02);
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-0.009525, 155.9, 20.1);
      POSE bHip(-0.303, 628.5, 46.69);
      POSE bKnee(0.2554, 309.2, 19.61);
      POSE bAnkle(-0.3651, 549.7, 9.804);
    ENDACTIONS
    TRANSITION to(3).after(nocontact rFoot);
    TRANSITION to(3).after(time 0.4801);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bShoulder(-0.1275, 50.43, 23.12);
      POSE bHip(-0.2303, 85.78, 31.15);
      POSE bKnee(0.3092, 151.4, 26.16);
      POSE bAnkle(-0.3806, 137.2, 10.59);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE bShoulder(-0.2871, 101.7, 7.157).time(0.09554);
      LIPOSE bHip(-0.8537, 591.2, 44.01).time(0.4912);
      LIPOSE bKnee(1.032, 718, 38.17).time(0.2001);
      LIPOSE bAnkle(-0.4119, 249.3, 32.42).time(0.09972);
      VFFB uTorso(1491, 57.99).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2903);
  ENDPHASE
  PHASE 5
    > stand.t(1.352, 1.215);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
