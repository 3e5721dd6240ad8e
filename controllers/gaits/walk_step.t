# One step of walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1107, 975.8, 97.16), lTorso2uTorso(-0.2924, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.466 + slope * (0.0578 - 3.34 * slope), 420.5, 12.23).time(0.1332);
      LIPOSE rKnee(0.7646 + slope * (-1.07 + 0.612 * slope), 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.4109 + slope * (0.222 + 3.66 * slope), 476.7, 19.62).time(0.08662);
      POSE lAnkle(0.0817 + slope * (-0.116 + 2.19 * slope), 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1998 + slope * (1.49 - 0.195 * slope), 368.2, 59.22).joint(lHip);
      VPD rThigh(0.1122 + slope * (0.581 + 0.0348 * slope), -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1083);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.128 + slope * (-0.942 + 3.53 * slope), 239.2, 15.22).time(0.02076);
      LIPOSE rAnkle(-0.2422 + slope * (-1.27 + 4.29 * slope), 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.1372 + slope * (-0.51 - 0.88 * slope), 484, 35.93).time(0.08936);
      LIPOSE lAnkle(-0.01126 + slope * (-0.508 - 1.06 * slope), 457.7, 12.32).time(0.0923);
      VPD uTorso(-0.02342 + slope * (1.8 + 0.00805 * slope), 397.9, 51.8).joint(lHip);
      COMFB2 -0.03027 -0.393 j lAnkle
      VPD rThigh(-0.471 + slope * (-1.21 - 1.79 * slope), -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2411 + slope * (0.375 + 0.873 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.02896 + slope * (-0.415 + 0.223 * slope), 206.8, 17.51).time(0.1044);
      LIPOSE rAnkle(0.02035 + slope * (0.648 - 3.93 * slope), 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(-0.1107 + slope * (0.502 - 3.18 * slope), 823.6, 11.02).time(0.07914);
      LIPOSE lKnee(0.1749 + slope * (0.14 - 2.77 * slope), 734.4, 25.45).time(0.1231);
      VPD uTorso(-0.1084 + slope * (0.206 - 0.504 * slope), 441, 75.36).joint(lHip);
      COMFB2 0.2451 -0.176 j lAnkle
      VPD rThigh(-0.3732 + slope * (-0.707 + 5.75 * slope), -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
