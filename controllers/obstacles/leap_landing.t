# The step of the right foot after a leap, from the left foot's landing.
BEGINSCRIPT leap_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1643, 975.8, 97.16), lTorso2uTorso(-0.2774, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.2661, 300, 12.23).time(0.1617);
      LIPOSE rKnee(0.9187, 257, 16.13).time(0.06442);
      LIPOSE lKnee(0.5062, 476.7, 25).time(0.0824);
      POSE lAnkle(0.04864, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.07461, 400, 59.22).joint(lHip);
      VPD rThigh(0.0861, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.14);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.21, 239.2, 15.22).time(0.0232);
      LIPOSE rAnkle(-0.3199, 78.92, 8.586).time(0.05041);
      LIPOSE lKnee(0.2, 484, 35.93).time(0.09311);
      LIPOSE lAnkle(-0.1536, 457.7, 12.32).time(0.1046);
      VPD uTorso(-0.02572, 397.9, 51.8).joint(lHip);
      COMFB2 -0.0469 -0.3734 j lAnkle
      VPD rThigh(-0.617, -130, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2429);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.02111, 206.8, 17.51).time(0.1051);
      LIPOSE rAnkle(-0.07131, 63.27, 8.485).time(0.276);
      LIPOSE lAnkle(-0.163, 823.6, 11.02).time(0.07367);
      LIPOSE lKnee(0.1645, 734.4, 25.45).time(0.125);
      VPD uTorso(-0.09047, 441, 75.36).joint(lHip);
      COMFB2 0.3087 -0.1348 j lAnkle
      VPD rThigh(-0.3649, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
