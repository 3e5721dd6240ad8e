# The step of the right foot after a leap, from the left foot's landing.
BEGINSCRIPT leap_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.09554, 975.8, 97.16), lTorso2uTorso(-0.3751, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.2375, 300, 12.23).time(0.1413);
      LIPOSE rKnee(0.8541, 257, 16.13).time(0.06928);
      LIPOSE lKnee(0.5457, 476.7, 25).time(0.06019);
      POSE lAnkle(0.03753, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.0714, 400, 59.22).joint(lHip);
      VPD rThigh(0.1123, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1429);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.213, 239.2, 15.22).time(0.02298);
      LIPOSE rAnkle(-0.3382, 78.92, 8.586).time(0.04786);
      LIPOSE lKnee(0.254, 484, 35.93).time(0.07659);
      LIPOSE lAnkle(-0.1766, 457.7, 12.32).time(0.09767);
      VPD uTorso(0.0259, 397.9, 51.8).joint(lHip);
      COMFB2 -0.017 -0.3302 j lAnkle
      VPD rThigh(-0.5379, -130, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2195);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.05, 206.8, 17.51).time(0.09994);
      LIPOSE rAnkle(-0.1303, 63.27, 8.485).time(0.2733);
      LIPOSE lAnkle(-0.1699, 823.6, 11.02).time(0.06677);
      LIPOSE lKnee(0.05965, 734.4, 25.45).time(0.1123);
      VPD uTorso(-0.1072, 441, 75.36).joint(lHip);
      COMFB2 0.3309 -0.09341 j lAnkle
      VPD rThigh(-0.4046, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
