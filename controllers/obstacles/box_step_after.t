# The next step: the left foot stands on a box that is `more` (m) higher than 0.25 m, the right one follows from below.
BEGINSCRIPT box_step_after(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1829, 845.7, 97.16), lTorso2uTorso(-0.3865, 335.1, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.775, 216.5, 12.23).time(0.1367);
      LIPOSE rKnee(0.2827, 294.6, 16.13).time(0.08501);
      LIPOSE lKnee(-0.1753 - more * 2.115, 374.7, 19.62).time(0.1009);
      POSE lAnkle(0.08038 - more * 0.08025, 100.5, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1034, 462.2, 59.22).joint(lHip);
      VPD rThigh(0.4408, -171.3, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1223);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.365 - more * 1.39, 240.2, 15.22).time(0.02845);
      LIPOSE rAnkle(-0.1465, 95.63, 8.586).time(0.03933);
      LIPOSE lKnee(0.2847, 474.4, 35.93).time(0.09392);
      LIPOSE lAnkle(0.1464, 516.3, 12.32).time(0.07846);
      VPD uTorso(-0.02268, 329.6, 51.8).joint(lHip);
      COMFB2 -0.09528 -0.2505 j lAnkle
      VPD rThigh(-0.614, -102.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2358);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.1682, 117.7, 17.51).time(0.09431);
      LIPOSE rAnkle(0.06127, 56.44, 8.485).time(0.3006);
      LIPOSE lAnkle(0.06068, 670.0, 11.02).time(0.1065);
      LIPOSE lKnee(0.1245, 733.3, 25.45).time(0.1142);
      VPD uTorso(-0.08493, 417.6, 75.36).joint(lHip);
      COMFB2 0.1198 -0.1231 j lAnkle
      VPD rThigh(-0.484, -232.4, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
