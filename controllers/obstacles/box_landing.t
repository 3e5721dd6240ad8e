# The step of the right foot after a step down from a box, from the left foot's landing.
BEGINSCRIPT box_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1107, 975.8, 97.16), lTorso2uTorso(-0.2924, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.3, 300, 12.23).time(0.1332);
      LIPOSE rKnee(0.9, 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.5, 476.7, 25).time(0.1);
      POSE lAnkle(0.05, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1, 400, 59.22).joint(lHip);
      VPD rThigh(0.05, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.12);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.2, 239.2, 15.22).time(0.02076);
      LIPOSE rAnkle(-0.2422, 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.25, 484, 35.93).time(0.1);
      LIPOSE lAnkle(-0.05, 457.7, 12.32).time(0.0923);
      VPD uTorso(0, 397.9, 51.8).joint(lHip);
      COMFB2 -0.03027 -0.393 j lAnkle
      VPD rThigh(-0.55, -130, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.22);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0, 206.8, 17.51).time(0.1044);
      LIPOSE rAnkle(0.02035, 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(-0.15, 823.6, 11.02).time(0.07914);
      LIPOSE lKnee(0.2, 734.4, 25.45).time(0.1231);
      VPD uTorso(-0.1, 441, 75.36).joint(lHip);
      COMFB2 0.2451 -0.176 j lAnkle
      VPD rThigh(-0.42, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
