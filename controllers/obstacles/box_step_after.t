# The next step: the left foot stands on a box that is `more` (m) higher than 0.25 m, the right one follows from below.
BEGINSCRIPT box_step_after(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1829, 845.7, 97.16), lTorso2uTorso(-0.366, 317.7, 81.42);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.806, 216.5, 12.23).time(0.1504);
      LIPOSE rKnee(0.2827, 294.6, 16.13).time(0.06987);
      LIPOSE lKnee(-0.1719 - more * 2.115, 374.7, 19.18).time(0.08458);
      POSE lAnkle(0.08038 - more * 0.08025, 100.5, 8.869);
      LIPOSE rShoulder(0.06513, 34.67, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.577).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1034, 423.2, 59.22).joint(lHip);
      VPD rThigh(0.4408, -171.3, -14.55).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1117);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.233 - more * 1.442, 229.7, 15.22).time(0.02845);
      LIPOSE rAnkle(-0.1564, 95.63, 8.586).time(0.04823);
      LIPOSE lKnee(0.3043, 474.4, 35.93).time(0.09392);
      LIPOSE lAnkle(0.137, 528.1, 12.06).time(0.122);
      VPD uTorso(-0.02268, 329.6, 51.8).joint(lHip);
      COMFB2 -0.09528 -0.2505 j lAnkle
      VPD rThigh(-0.614, -102.7, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2535);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.1981, 118.5, 17.51).time(0.09431);
      LIPOSE rAnkle(0.05777, 60.71, 8.485).time(0.318);
      LIPOSE lAnkle(0.06068, 612.1, 11.02).time(0.105);
      LIPOSE lKnee(0.126, 733.3, 23.9).time(0.1142);
      VPD uTorso(-0.08493, 417.6, 79.73).joint(lHip);
      COMFB2 0.1198 -0.1231 j lAnkle
      VPD rThigh(-0.484, -234.9, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
