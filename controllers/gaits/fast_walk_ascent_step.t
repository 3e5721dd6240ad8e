# One step of fast_walk on ascents steeper than 3.4 degrees, where the thigh swings higher, from the left foot's contact to the right
# one's; mirrored, it is the next step.
BEGINSCRIPT fast_walk_ascent_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.04146 + slope * (-0.3155 - 7.606 * slope), 975.8, 97.16),
          lTorso2uTorso(-0.03954 + slope * (-0.3179 - 5.392 * slope), 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6202 + slope * (-0.003587 - 5.466 * slope), 420.5, 12.23).time(0.09454);
      LIPOSE rKnee(0.8865 + slope * (-1.137 + 1.096 * slope), 257, 16.13).time(0.06821);
      LIPOSE lKnee(0.5479 + slope * (0.1315 + 3.513 * slope), 476.7, 19.62).time(0.07172);
      POSE lAnkle(0.0821 + slope * (-0.07419 + 2.236 * slope), 116.3, 9.595);
      LIPOSE rShoulder(0.1203, 33.03, 4.182).time(0.1789), lShoulder(-0.5482, 33.03, 4.182).time(0.327);
      LIPOSE rElbow(-0.1934, 34, 3.62).time(0.5179), lElbow(-0.6273, 34, 3.62).time(0.478);
      VPD uTorso(0.02738 + slope * (1.066 - 5.007 * slope), 368.2, 59.22).joint(lHip);
      VPD rThigh(0.08124 + slope * (0.6558 + 0.1693 * slope), -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.08264 + slope * (0.06909 - 0.1786 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.117 + slope * (-0.8375 + 4.393 * slope), 239.2, 15.22).time(0.02016);
      LIPOSE rAnkle(-0.2625 + slope * (-1.437 + 3.834 * slope), 78.92, 8.586).time(0.04356);
      LIPOSE lKnee(0.02455 + slope * (-0.5966 + 0.2667 * slope), 484, 35.93).time(0.09379);
      LIPOSE lAnkle(-0.1803 + slope * (-0.4612 + 0.01221 * slope), 457.7, 12.32).time(0.07823);
      VPD uTorso(0.08261 + slope * (1.804 - 3.156 * slope), 397.9, 51.8).joint(lHip);
      COMFB2 (-0.03156 + slope * (-0.06103 - 0.7797 * slope)) (-0.4211 + slope * (-0.1179 - 2.541 * slope)) j lAnkle
      VPD rThigh(-0.4763 + slope * (-1.332 - 2.394 * slope), -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2618 + slope * (0.1481 + 0.06598 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.05214 + slope * (-0.2879 + 0.7348 * slope), 206.8, 17.51).time(0.07134);
      LIPOSE rAnkle(0.2137 + slope * (0.6332 - 4.385 * slope), 63.27, 8.485).time(0.3423);
      LIPOSE lAnkle(-0.09489 + slope * (0.4704 - 3.138 * slope), 823.6, 11.02).time(0.0869);
      LIPOSE lKnee(0.2197 + slope * (0.1148 - 2.833 * slope), 734.4, 25.45).time(0.1153);
      VPD uTorso(0.02713 + slope * (0.1705 - 4.248 * slope), 441, 75.36).joint(lHip);
      COMFB2 (0.3002 + slope * (-0.1885 - 0.0746 * slope)) (-0.1037 + slope * (-0.2168 - 0.9672 * slope)) j lAnkle
      VPD rThigh(-0.1705 + slope * (-0.6344 + 7.66 * slope), -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
