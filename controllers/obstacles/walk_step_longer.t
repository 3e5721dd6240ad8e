# One step of walk that is longer by about `longer` (m, -0.2 to 0.2) than usual, from the left foot's contact to the right one's.
# The trunk leans forward by `upright` (rad) more than with 0, with which it leans backward by up to 0.2 rad.
# `slope` (rad) is that of the ground, or 0 for the step of level ground.
BEGINSCRIPT walk_step_longer(longer, upright, slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1107, 975.8, 97.16), lTorso2uTorso(-0.2924 + upright, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.466 + longer * 0.8424 - slope * 0.1277, 420.5, 12.23).time(0.1332);
      LIPOSE rKnee(0.7646 + longer * 0.449, 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.4109 + longer * 0.9565 + slope * 0.2091, 476.7, 19.62).time(0.08662);
      POSE lAnkle(0.0817 + longer * 0.2069 - slope * 0.112, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(upright - 0.1998 + longer * 0.0745 + slope * 0.428, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.1122 + longer * -0.504 + slope * 0.5927, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1083 + longer * 0.4305);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.128 + longer * -0.3991 + slope * 1.5, 239.2, 15.22).time(0.02076);
      LIPOSE rAnkle(-0.2422 - slope * 1.31, 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.1372 + longer * -0.528 - slope * 0.4099, 484, 35.93).time(0.08936);
      LIPOSE lAnkle(-0.01126 + longer * -0.2658 - slope * 0.4144, 457.7, 12.32).time(0.0923);
      VPD uTorso(upright - 0.02342 + longer * 0.7428 + slope * 0.6096, 397.9, 51.8).joint(lHip);
      COMFB2 -0.03027 -0.393 j lAnkle
      VPD rThigh(-0.471 - longer * 0.4191 - slope * 1.263, -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2411 + longer * 0.049 + slope * 0.3046);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.02896 + longer * -0.4324, 206.8, 17.51).time(0.1044);
      LIPOSE rAnkle(0.02035 + slope * 0.6083, 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(-0.1107 + longer * -1.1182 + slope * 0.5057, 823.6, 11.02).time(0.07914);
      LIPOSE lKnee(0.1749 + longer * 0.0286 + slope * 0.1345, 734.4, 25.45).time(0.1231);
      VPD uTorso(upright - 0.1084 + longer * 0.3906 - slope * 0.04828, 441, 75.36).joint(lHip);
      COMFB2 0.2451 -0.176 j lAnkle
      VPD rThigh(-0.3732 - longer * 0.6458 - slope * 0.5403, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
