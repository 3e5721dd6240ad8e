SCRIPTS stand.t;
BEGINSCRIPT hop(void)
  PHASE 1
    ACTIONS
      LIPOSE bShoulder(1.05).time(0.3952);
      LIPOSE bHip(-0.7843, 67.29, 97.3).time(0.5437);
      LIPOSE bKnee(1.146, 182.6, 18.35).time(0.9021);
      LIPOSE bAnkle(-0.75, 74.8, 48.46).time(0.801);
      POSE bElbow(-0.6938, 149.8, 10.76);
      VFFB uTorso(995.3, 92.31).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(2).after(time 0.02);
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-0.05832, 138.6, 19.27);
      POSE bHip(-0.2487, 570.9, 45.53);
      POSE bKnee(0.2371, 282.4, 20.67);
      POSE bAnkle(-0.3576, 528.1, 9.72);
    ENDACTIONS
    TRANSITION to(3).after(nocontact rFoot);
    TRANSITION to(3).after(time 0.3742);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bShoulder(-0.1211, 52.62, 23.91);
      POSE bHip(-0.3094, 102.5, 37.9);
      POSE bKnee(0.2583, 153.3, 21.42);
      POSE bAnkle(-0.3383, 124.1, 9.966);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE bShoulder(-0.2628, 106.3, 6.574).time(0.08427);
      LIPOSE bHip(-0.8515, 633.8, 44.9).time(0.4377);
      LIPOSE bKnee(1.088, 765, 36.81).time(0.2205);
      LIPOSE bAnkle(-0.378, 225.3, 37.41).time(0.09272);
      VFFB uTorso(1652, 68.4).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2941);
  ENDPHASE
  PHASE 5
    > stand.t(1.352, 1.215);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
