# The step of the right foot onto a box that is `more` (m) higher than 0.25 m, from the left foot's contact before it.
BEGINSCRIPT box_step(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1009, 1169.0, 97.16), lTorso2uTorso(-0.2882, 456.4, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.2538, 379.2, 12.23).time(0.2001);
      LIPOSE rKnee(0.7705, 237.5, 16.13).time(0.05638);
      LIPOSE lKnee(0.2762, 435.4, 19.62).time(0.08885);
      POSE lAnkle(0.1604, 141.5, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.03555, 598.6, 59.22).joint(lHip);
      VPD rThigh(-0.005362, -143.3, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1235);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(2.289 + more * 3.55, 181.9, 15.22).time(0.02141);
      LIPOSE rAnkle(-0.4653, 72.08, 8.586).time(0.03705);
      LIPOSE lKnee(0.2119, 536.1, 35.93).time(0.08598);
      LIPOSE lAnkle(-0.01646, 455.9, 12.32).time(0.108);
      VPD uTorso(0.08605, 378.1, 51.8).joint(lHip);
      COMFB2 0.007438 -0.3639 j lAnkle
      VPD rThigh(-1.211 + more * -2.98, -103.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2969);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.6221 + more * 2.418, 205.9, 17.51).time(0.09436);
      LIPOSE rAnkle(0.01082, 57.53, 8.485).time(0.3701);
      LIPOSE lAnkle(0.3159 + more * 0.1258, 954.9, 11.02).time(0.05826);
      LIPOSE lKnee(-0.001192, 726.6, 25.45).time(0.1681);
      VPD uTorso(-0.09765, 505.3, 75.36).joint(lHip);
      COMFB2 0.3732 -0.191 j lAnkle
      VPD rThigh(-0.8713 + more * -2.196, -115.5, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
