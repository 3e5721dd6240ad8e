# The next step: the left foot stands behind a hurdle that is `more` (m) higher than 0.2 m, the right one follows over it.
BEGINSCRIPT hurdle_step_after(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.004554, 975.8, 97.16), lTorso2uTorso(-0.3072, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6467, 420.5, 12.23).time(0.1855);
      LIPOSE rKnee(0.2086, 257, 16.13).time(0.1306);
      LIPOSE lKnee(0.4207 + more * 0.09497, 476.7, 19.62).time(0.09621);
      POSE lAnkle(0.05884 + more * 0.0681, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.2175, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.26, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.07513);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(2.068 + more * 1.191, 239.2, 15.22).time(0.02423);
      LIPOSE rAnkle(-0.471, 78.92, 8.586).time(0.05741);
      LIPOSE lKnee(-0.03931, 484, 35.93).time(0.07893);
      LIPOSE lAnkle(0.02426, 457.7, 12.32).time(0.1534);
      VPD uTorso(0.2197, 397.9, 51.8).joint(lHip);
      COMFB2 -0.01509 -0.2095 j lAnkle
      VPD rThigh(-0.9553 + more * -0.7286, -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4269);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.01652, 206.8, 17.51).time(0.08215);
      LIPOSE rAnkle(0.05304, 63.27, 8.485).time(0.3326);
      LIPOSE lAnkle(-0.1332, 823.6, 11.02).time(0.05299);
      LIPOSE lKnee(-0.05, 734.4, 25.45).time(0.1632);
      VPD uTorso(-0.05342, 441, 75.36).joint(lHip);
      COMFB2 0.1484 -0.1445 j lAnkle
      VPD rThigh(-0.4478, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
