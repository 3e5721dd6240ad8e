# The next step: the left foot stands behind a hurdle that is `more` (m) higher than 0.2 m, the right one follows over it.
BEGINSCRIPT hurdle_step_after(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.1178, 974.0, 97.16), lTorso2uTorso(-0.2962, 490.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.5864, 415.2, 12.23).time(0.2093);
      LIPOSE rKnee(0.2068, 276.0, 16.13).time(0.1352);
      LIPOSE lKnee(0.4281 + more * 0.1008, 465.6, 19.62).time(0.09818);
      POSE lAnkle(0.1115 + more * 0.06765, 126.4, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.2273, 401.1, 59.22).joint(lHip);
      VPD rThigh(0.2586, -183.6, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.07765);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(2.062 + more * 1.209, 236.4, 15.22).time(0.02498);
      LIPOSE rAnkle(-0.4746, 79.16, 8.586).time(0.05755);
      LIPOSE lKnee(-0.04716, 459.2, 35.93).time(0.07875);
      LIPOSE lAnkle(0.01431, 469.2, 12.32).time(0.1528);
      VPD uTorso(0.2232, 402.3, 51.8).joint(lHip);
      COMFB2 -0.05014 -0.2051 j lAnkle
      VPD rThigh(-0.9155 + more * -0.6948, -117.4, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4161);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.04264, 200.9, 17.51).time(0.08078);
      LIPOSE rAnkle(0.02912, 56.35, 8.485).time(0.3226);
      LIPOSE lAnkle(-0.1751, 835.5, 11.02).time(0.05408);
      LIPOSE lKnee(-0.0408, 727.5, 25.45).time(0.1663);
      VPD uTorso(-0.03879, 430.2, 75.36).joint(lHip);
      COMFB2 0.1259 -0.1539 j lAnkle
      VPD rThigh(-0.4445, -180.7, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
