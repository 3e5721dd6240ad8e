SCRIPTS stand.t;
BEGINSCRIPT hop(void)
  PHASE 1
    ACTIONS
      LIPOSE bShoulder(1.05).time(0.3766);
      LIPOSE bHip(-0.684, 65.84, 118.3).time(0.6543);
      LIPOSE bKnee(1.213, 204.9, 17.91).time(1.006);
      LIPOSE bAnkle(-0.75, 76.58, 34.91).time(0.7645);
      POSE bElbow(-0.5048, 158.5, 8.129);
      VFFB uTorso(1096, 94.01).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(2).after(time 0.02);
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-0.07995, 116.3, 25.96);
      POSE bHip(-0.393, 650, 54.5);
      POSE bKnee(0.1953, 362.6, 17.25);
      POSE bAnkle(-0.3105, 264.1, 7.833);
    ENDACTIONS
    TRANSITION to(3).after(nocontact rFoot);
    TRANSITION to(3).after(time 0.4301);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bShoulder(-0.2405, 58.29, 18.25);
      POSE bHip(-0.2096, 84.36, 31.42);
      POSE bKnee(0.1863, 124.6, 22.58);
      POSE bAnkle(-0.4339, 124.5, 8.809);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE bShoulder(-0.2983, 52.8, 5.529).time(0.06825);
      LIPOSE bHip(-0.8406, 725.9, 35.87).time(0.2844);
      LIPOSE bKnee(1.082, 384.3, 28.43).time(0.2418);
      LIPOSE bAnkle(-0.4697, 238.4, 33.53).time(0.106);
      VFFB uTorso(1687, 52.37).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3195);
  ENDPHASE
  PHASE 5
    > stand.t(1.352, 1.215);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
