# One step of fast_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT fast_walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.05734 + slope * (-0.3155 - 7.606 * slope), 1086, 101.9),
          lTorso2uTorso(-0.07452 + slope * (-0.3179 - 5.392 * slope), 438.1, 90.42);
      POSE lWrist(-0.01272, 4.902, 3.014), rWrist(0.04416, 5.175, 2.749);
      LIPOSE rAnkle(0.5001 + slope * (-0.003587 - 5.466 * slope), 383, 13).time(0.1048);
      LIPOSE rKnee(0.8275 + slope * (-1.137 + 1.096 * slope), 294.6, 12.53).time(0.07563);
      LIPOSE lKnee(0.5547 + slope * (0.1315 + 3.513 * slope), 482.3, 19.62).time(0.07885);
      POSE lAnkle(0.1738 + slope * (-0.07419 + 2.236 * slope), 116.4, 9.431);
      LIPOSE rShoulder(0.1898, 32.75, 4.317).time(0.1838), lShoulder(-0.5872, 30.64, 3.007).time(0.3372);
      LIPOSE rElbow(-0.24, 34.32, 3.887).time(0.5019), lElbow(-0.6548, 35.54, 2.885).time(0.4671);
      VPD uTorso(0.05866 + 0.15 * (1.65 - com_vx) + slope * (1.066 - 5.007 * slope), 412.1, 57.37).joint(lHip);
      VPD rThigh(0.1221 + slope * (0.6558 + 0.1693 * slope), -170.5, -13.69).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.08553 + slope * (0.06909 - 0.1786 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.074 + slope * (-0.8375 + 4.393 * slope), 231.3, 12.77).time(0.007388);
      LIPOSE rAnkle(-0.2427 + slope * (-1.437 + 3.834 * slope), 87.8, 9.108).time(0.05967);
      LIPOSE lKnee(0.04075 + slope * (-0.5966 + 0.2667 * slope), 482.3, 32.51).time(0.08907);
      LIPOSE lAnkle(-0.1917 + slope * (-0.4612 + 0.01221 * slope), 405.2, 11.7).time(0.08676);
      VPD uTorso(0.1201 + slope * (1.804 - 3.156 * slope), 442.2, 48.2).joint(lHip);
      COMFB2 (-0.1134 + slope * (-0.06103 - 0.7797 * slope)) (-0.4535 + slope * (-0.1179 - 2.541 * slope)) j lAnkle
      VPD rThigh(-0.4776 - 0.3 * (1.65 - com_vx) + slope * (-1.332 - 2.394 * slope), -98.4, -16.45).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2488 + slope * (0.1481 + 0.06598 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.08973 + slope * (-0.2879 + 0.7348 * slope), 172, 17.02).time(0.05262);
      LIPOSE rAnkle(0.2041 + slope * (0.6332 - 4.385 * slope), 62.04, 9.209).time(0.3479);
      LIPOSE lAnkle(-0.0995 + slope * (0.4704 - 3.138 * slope), 872, 11.13).time(0.08269);
      LIPOSE lKnee(0.2444 + slope * (0.1148 - 2.833 * slope), 812.7, 24.32).time(0.09781);
      VPD uTorso(0.04355 + 0.15 * (1.65 - com_vx) + slope * (0.1705 - 4.248 * slope), 381.7, 71.32).joint(lHip);
      COMFB2 (0.2995 + slope * (-0.1885 - 0.0746 * slope)) (-0.1205 + slope * (-0.2168 - 0.9672 * slope)) j lAnkle
      VPD rThigh(-0.1831 - 0.3 * (1.65 - com_vx) + slope * (-0.6344 + 7.66 * slope), -159.5, -9.309).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
