# The step of the right foot after a step down from a box, from the left foot's landing.
BEGINSCRIPT box_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1285, 975.8, 97.16), lTorso2uTorso(-0.4, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(-0.1798, 300, 12.23).time(0.162);
      LIPOSE rKnee(1.264, 257, 16.13).time(0.06055);
      LIPOSE lKnee(0.5523, 476.7, 25).time(0.07861);
      POSE lAnkle(0.7194, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.01272, 400, 59.22).joint(lHip);
      VPD rThigh(0.151, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1179);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.182, 239.2, 15.22).time(0.01796);
      LIPOSE rAnkle(-0.3308, 78.92, 8.586).time(0.09423);
      LIPOSE lKnee(0.3483, 484, 35.93).time(0.1272);
      LIPOSE lAnkle(0.1437, 457.7, 12.32).time(0.1087);
      VPD uTorso(0.03644, 397.9, 51.8).joint(lHip);
      COMFB2 0.2349 -0.2271 j lAnkle
      VPD rThigh(-0.2292, -130, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2353);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.3184, 206.8, 17.51).time(0.08337);
      LIPOSE rAnkle(0.3769, 63.27, 8.485).time(0.4346);
      LIPOSE lAnkle(-0.1797, 823.6, 11.02).time(0.1153);
      LIPOSE lKnee(0.417, 734.4, 25.45).time(0.09171);
      VPD uTorso(0.01211, 441, 75.36).joint(lHip);
      COMFB2 0.3101 -0.1762 j lAnkle
      VPD rThigh(-0.3259, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
