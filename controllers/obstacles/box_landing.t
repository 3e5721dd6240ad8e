# The step of the right foot after a step down from a box, from the left foot's landing.
BEGINSCRIPT box_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1857, 975.8, 97.16), lTorso2uTorso(-0.245, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(-0.2094, 300, 12.23).time(0.1609);
      LIPOSE rKnee(1.264, 257, 16.13).time(0.05709);
      LIPOSE lKnee(0.5526, 476.7, 25).time(0.07155);
      POSE lAnkle(0.5614, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(0.08173, 400, 59.22).joint(lHip);
      VPD rThigh(0.1024, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1179);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.044, 239.2, 15.22).time(0.01772);
      LIPOSE rAnkle(-0.4121, 78.92, 8.586).time(0.1112);
      LIPOSE lKnee(0.5447, 484, 35.93).time(0.1012);
      LIPOSE lAnkle(0.1437, 457.7, 12.32).time(0.1126);
      VPD uTorso(-0.02042, 397.9, 51.8).joint(lHip);
      COMFB2 0.1903 -0.2812 j lAnkle
      VPD rThigh(-0.1265, -130, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2231);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4337, 206.8, 17.51).time(0.08587);
      LIPOSE rAnkle(0.3968, 63.27, 8.485).time(0.4664);
      LIPOSE lAnkle(-0.01432, 823.6, 11.02).time(0.1153);
      LIPOSE lKnee(0.4436, 734.4, 25.45).time(0.09444);
      VPD uTorso(-0.3265, 441, 75.36).joint(lHip);
      COMFB2 0.3949 -0.1491 j lAnkle
      VPD rThigh(-0.1918, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
