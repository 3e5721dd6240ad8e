# The step of the walk with the right foot after one down a drop of `depth` (m), from the left foot's contact below it.
BEGINSCRIPT walk_step_landing(depth)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1059, 975.8, 97.16), lTorso2uTorso(-0.2878, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.4801, 420.5, 12.23).time(0.1402);
      LIPOSE rKnee(0.7302, 257, 16.13).time(0.07052);
      LIPOSE lKnee(0.396, 476.7, 19.62).time(0.08085);
      POSE lAnkle(0.1038, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1843, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.09443, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09827);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.17, 239.2, 15.22).time(0.01757);
      LIPOSE rAnkle(-0.2772, 78.92, 8.586).time(0.05305);
      LIPOSE lKnee(0.1224 + depth * 0.8617, 484, 35.93).time(0.08285);
      LIPOSE lAnkle(-0.013, 457.7, 12.32).time(0.09139);
      VPD uTorso(-0.06918, 397.9, 51.8).joint(lHip);
      COMFB2 -0.05606 -0.3862 j lAnkle
      VPD rThigh(-0.4388 - 0.1938 * (com_vx - 1.4), -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2535);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.002801, 206.8, 17.51).time(0.1047);
      LIPOSE rAnkle(0.006471, 63.27, 8.485).time(0.2958);
      LIPOSE lAnkle(-0.1252, 823.6, 11.02).time(0.07562);
      LIPOSE lKnee(0.1426, 734.4, 25.45).time(0.1196);
      VPD uTorso(-0.06942, 441, 75.36).joint(lHip);
      COMFB2 0.2593 -0.1502 j lAnkle
      VPD rThigh(-0.3434, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
