# One step of fast_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT fast_walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.04609 + slope * (-0.4457 - 7.606 * slope), 975.8, 97.16),
          lTorso2uTorso(-0.0567 + slope * (-0.3977 - 5.392 * slope), 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6097 + slope * (-0.05466 - 5.466 * slope), 420.5, 12.23).time(0.08963);
      LIPOSE rKnee(0.8781 + slope * (-1.17 + 1.096 * slope), 257, 16.13).time(0.06509);
      LIPOSE lKnee(0.5367 + slope * (0.1986 + 3.513 * slope), 476.7, 19.62).time(0.0742);
      POSE lAnkle(0.09274 + slope * (-0.1389 + 2.236 * slope), 116.3, 9.595);
      LIPOSE rShoulder(0.1228, 33.03, 4.182).time(0.183), lShoulder(-0.5711, 33.03, 4.182).time(0.3125);
      LIPOSE rElbow(-0.1807, 34, 3.62).time(0.5325), lElbow(-0.6442, 34, 3.62).time(0.5027);
      VPD uTorso(0.03585 + slope * (0.9956 - 5.007 * slope), 368.2, 59.22).joint(lHip);
      VPD rThigh(0.09502 + slope * (0.5871 + 0.1693 * slope), -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.07825 + slope * (0.03847 - 0.1786 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.119 + slope * (-0.7891 + 4.393 * slope), 239.2, 15.22).time(0.01987);
      LIPOSE rAnkle(-0.2531 + slope * (-1.478 + 3.834 * slope), 78.92, 8.586).time(0.04366);
      LIPOSE lKnee(0.0172 + slope * (-0.6055 + 0.2667 * slope), 484, 35.93).time(0.09502);
      LIPOSE lAnkle(-0.1673 + slope * (-0.4495 + 0.01221 * slope), 457.7, 12.32).time(0.07998);
      VPD uTorso(0.07284 + slope * (1.678 - 3.156 * slope), 397.9, 51.8).joint(lHip);
      COMFB2 (-0.03753 + slope * (-0.1155 - 0.7797 * slope)) (-0.4007 + slope * (-0.2024 - 2.541 * slope)) j lAnkle
      VPD rThigh(-0.4711 + slope * (-1.373 - 2.394 * slope), -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2711 + slope * (0.1633 + 0.06598 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.03665 + slope * (-0.3085 + 0.7348 * slope), 206.8, 17.51).time(0.06964);
      LIPOSE rAnkle(0.2134 + slope * (0.6245 - 4.385 * slope), 63.27, 8.485).time(0.3238);
      LIPOSE lAnkle(-0.1053 + slope * (0.5024 - 3.138 * slope), 823.6, 11.02).time(0.0915);
      LIPOSE lKnee(0.1992 + slope * (0.1232 - 2.833 * slope), 734.4, 25.45).time(0.1097);
      VPD uTorso(0.05614 + slope * (0.02517 - 4.248 * slope), 441, 75.36).joint(lHip);
      COMFB2 (0.2924 + slope * (-0.148 - 0.0746 * slope)) (-0.09905 + slope * (-0.2109 - 0.9672 * slope)) j lAnkle
      VPD rThigh(-0.1764 + slope * (-0.6193 + 7.66 * slope), -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
