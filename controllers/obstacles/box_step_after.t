# The next step: the left foot stands on a box that is `more` (m) higher than 0.25 m, the right one follows from below.
BEGINSCRIPT box_step_after(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.02636, 845.7, 97.16), lTorso2uTorso(-0.3613, 419.7, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.661, 254.7, 12.23).time(0.1202);
      LIPOSE rKnee(0.509, 254.7, 16.13).time(0.0672);
      LIPOSE lKnee(0.8599 + more * 1.911, 417.2, 19.62).time(0.08552);
      POSE lAnkle(0.2165 + more * 0.08041, 100.1, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.2455, 411.5, 59.22).joint(lHip);
      VPD rThigh(0.1876, -195.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1747);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.896 + more * 3.024, 309.2, 15.22).time(0.03242);
      LIPOSE rAnkle(-0.4358, 97.29, 8.586).time(0.05894);
      LIPOSE lKnee(0.2321, 359.1, 35.93).time(0.0948);
      LIPOSE lAnkle(-0.002184, 493.5, 12.32).time(0.07011);
      VPD uTorso(-0.1377, 358.9, 51.8).joint(lHip);
      COMFB2 -0.07512 -0.3259 j lAnkle
      VPD rThigh(-0.6018, -102.7, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2307);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.1077, 173.6, 17.51).time(0.09395);
      LIPOSE rAnkle(0.04648, 56.37, 8.485).time(0.3071);
      LIPOSE lAnkle(-0.04868, 746.1, 11.02).time(0.0953);
      LIPOSE lKnee(0.1584, 625.1, 25.45).time(0.1121);
      VPD uTorso(-0.1163, 417.6, 75.36).joint(lHip);
      COMFB2 0.1184 -0.2031 j lAnkle
      VPD rThigh(-0.3668, -183.2, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
