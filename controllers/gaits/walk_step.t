# One step of walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.07459 + slope * (-0.6637 - 7.606 * slope), 975.8, 97.16),
          lTorso2uTorso(-0.1611 + slope * (-0.4704 - 5.392 * slope), 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.5178 + slope * (-0.1277 - 5.466 * slope), 420.5, 12.23).time(0.1363);
      LIPOSE rKnee(0.7528 + slope * (-1.028 + 1.096 * slope), 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.4145 + slope * (0.2091 + 3.513 * slope), 476.7, 19.62).time(0.08662);
      POSE lAnkle(0.08059 + slope * (-0.112 + 2.236 * slope), 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.08258 + slope * (1.07 - 5.007 * slope), 368.2, 59.22).joint(lHip);
      VPD rThigh(0.1089 + slope * (0.5927 + 0.1693 * slope), -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1127 + slope * (-0.01558 - 0.1786 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.107 + slope * (-0.8667 + 4.393 * slope), 239.2, 15.22).time(0.02076);
      LIPOSE rAnkle(-0.2311 + slope * (-1.31 + 3.834 * slope), 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.1093 + slope * (-0.4099 + 0.2667 * slope), 484, 35.93).time(0.08936);
      LIPOSE lAnkle(-0.03738 + slope * (-0.4144 + 0.01221 * slope), 457.7, 12.32).time(0.0923);
      VPD uTorso(0.05367 + slope * (1.524 - 3.156 * slope), 397.9, 51.8).joint(lHip);
      COMFB2 (-0.01128 + slope * (-0.06803 - 0.7797 * slope)) (-0.3311 + slope * (-0.2217 - 2.541 * slope)) j lAnkle
      VPD rThigh(-0.4563 + slope * (-1.263 - 2.394 * slope), -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2608 + slope * (0.3046 + 0.06598 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.04143 + slope * (-0.3703 + 0.7348 * slope), 206.8, 17.51).time(0.1044);
      LIPOSE rAnkle(0.03143 + slope * (0.6083 - 4.385 * slope), 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(-0.1117 + slope * (0.5057 - 3.138 * slope), 823.6, 11.02).time(0.07914);
      LIPOSE lKnee(0.1764 + slope * (0.1345 - 2.833 * slope), 734.4, 25.45).time(0.1231);
      VPD uTorso(-0.01719 + slope * (-0.1207 - 4.248 * slope), 441, 75.36).joint(lHip);
      COMFB2 (0.2469 + slope * (-0.006509 - 0.0746 * slope)) (-0.1524 + slope * (-0.08439 - 0.9672 * slope)) j lAnkle
      VPD rThigh(-0.4197 + slope * (-0.5403 + 7.66 * slope), -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
