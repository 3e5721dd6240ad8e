# The step of the right foot from a stair of `rise` (m) past the left one, which stands beyond the last edge.
BEGINSCRIPT stair_up_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.01519, 975.8, 97.16), lTorso2uTorso(-0.2567, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6648, 420.5, 12.23).time(0.1497);
      LIPOSE rKnee(0.3999, 257, 16.13).time(0.0628);
      LIPOSE lKnee(0.3888 + rise * 2.299, 476.7, 19.62).time(0.08847);
      POSE lAnkle(0.05537 + rise * 1.005, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1597, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.01828, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1744);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.211 + rise * 3.599, 239.2, 15.22).time(0.01542);
      LIPOSE rAnkle(-0.09931, 78.92, 8.586).time(0.0588);
      LIPOSE lKnee(0.116, 484, 35.93).time(0.09786);
      LIPOSE lAnkle(-0.0171, 457.7, 12.32).time(0.08526);
      VPD uTorso(-0.01743, 397.9, 51.8).joint(lHip);
      COMFB2 -0.05458 -0.4211 j lAnkle
      VPD rThigh(-0.8646, -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2445);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.0168, 206.8, 17.51).time(0.09535);
      LIPOSE rAnkle(0.05855, 63.27, 8.485).time(0.2886);
      LIPOSE lAnkle(-0.08503, 823.6, 11.02).time(0.08319);
      LIPOSE lKnee(-0.007594, 734.4, 25.45).time(0.1239);
      VPD uTorso(-0.1049, 441, 75.36).joint(lHip);
      COMFB2 0.3371 -0.1909 j lAnkle
      VPD rThigh(-0.5039, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
