# The step of the right foot onto a box that is `more` (m) higher than 0.25 m, from the left foot's contact before it.
BEGINSCRIPT box_step(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.3012, 1177, 97.16), lTorso2uTorso(-0.3311, 373.8, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.2844, 529.8, 11.06).time(0.1542);
      LIPOSE rKnee(0.746, 220.7, 16.13).time(0.05902);
      LIPOSE lKnee(0.159, 399.2, 19.62).time(0.09248);
      POSE lAnkle(0.171, 190.4, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2299), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(0.144, 746.9, 57.1).joint(lHip);
      VPD rThigh(-0.02018, -163.2, -14.5).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1325);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(2.504 + more * 2.457, 185.4, 15.22).time(0.02101);
      LIPOSE rAnkle(-0.5692, 78.85, 8.586).time(0.0349);
      LIPOSE lKnee(0.2266, 604.2, 37.87).time(0.08598);
      LIPOSE lAnkle(0.1893, 482.7, 12.32).time(0.09492);
      VPD uTorso(0.1674, 446.3, 44.46).joint(lHip);
      COMFB2 -0.03901 -0.4028 j lAnkle
      VPD rThigh(-1.221 + more * -3.188, -103.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2653);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4275 + more * 2.374, 174.1, 15.61).time(0.07142);
      LIPOSE rAnkle(-0.2563, 82.47, 8.485).time(0.3987);
      LIPOSE lAnkle(0.4273 + more * 0.06234, 925.2, 10.12).time(0.05551);
      LIPOSE lKnee(-0.05, 786.3, 25.45).time(0.1488);
      VPD uTorso(0.2313, 460.7, 75.36).joint(lHip);
      COMFB2 0.4181 -0.2497 j lAnkle
      VPD rThigh(-0.7664 + more * -2.28, -130, -9.119).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
