# The step of the right foot onto a box that is `more` (m) higher than 0.25 m, from the left foot's contact before it.
BEGINSCRIPT box_step(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.317, 1169.0, 97.16), lTorso2uTorso(-0.3311, 391.5, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.2832, 471.8, 12.23).time(0.1792);
      LIPOSE rKnee(0.7727, 220.7, 16.13).time(0.05902);
      LIPOSE lKnee(0.1388, 399.2, 19.62).time(0.09248);
      POSE lAnkle(0.171, 165.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(0.144, 746.9, 59.22).joint(lHip);
      VPD rThigh(-0.04335, -163.2, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1196);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(2.504 + more * 2.457, 179.2, 15.22).time(0.02101);
      LIPOSE rAnkle(-0.5692, 78.85, 8.586).time(0.0349);
      LIPOSE lKnee(0.2056, 604.2, 35.93).time(0.08598);
      LIPOSE lAnkle(0.1893, 482.7, 12.32).time(0.09492);
      VPD uTorso(0.1674, 446.3, 51.8).joint(lHip);
      COMFB2 -0.04453 -0.4028 j lAnkle
      VPD rThigh(-1.221 + more * -3.188, -103.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2653);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4275 + more * 2.237, 174.1, 17.51).time(0.08198);
      LIPOSE rAnkle(-0.2629, 76.27, 8.485).time(0.4292);
      LIPOSE lAnkle(0.4347 + more * 0.08668, 945.8, 11.02).time(0.05551);
      LIPOSE lKnee(-0.05, 786.3, 25.45).time(0.1229);
      VPD uTorso(0.2313, 513.3, 75.36).joint(lHip);
      COMFB2 0.4181 -0.2056 j lAnkle
      VPD rThigh(-0.8547 + more * -2.196, -126.5, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
