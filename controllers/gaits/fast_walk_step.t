# One step of fast_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT fast_walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.06379 + slope * (-0.3155 - 7.606 * slope), 1090, 94.4),
          lTorso2uTorso(-0.1099 + slope * (-0.3179 - 5.392 * slope), 441.6, 89.64);
      POSE lWrist(-0.01742, 5.093, 2.864), rWrist(0.04782, 4.967, 2.856);
      LIPOSE rAnkle(0.5098 + slope * (-0.003587 - 5.466 * slope), 386.8, 12.48).time(0.1051);
      LIPOSE rKnee(0.8642 + slope * (-1.137 + 1.096 * slope), 290.4, 12.58).time(0.07224);
      LIPOSE lKnee(0.5488 + slope * (0.1315 + 3.513 * slope), 490, 19.62).time(0.08177);
      POSE lAnkle(0.1682 + slope * (-0.07419 + 2.236 * slope), 118.8, 9.293);
      LIPOSE rShoulder(0.2121, 32.42, 4.222).time(0.1849), lShoulder(-0.5866, 30.71, 3.246).time(0.3371);
      LIPOSE rElbow(-0.2647, 34.65, 3.752).time(0.5078), lElbow(-0.6149, 35.47, 3.186).time(0.4727);
      VPD uTorso(0.07298 + 0.15 * (1.65 - com_vx) + slope * (1.066 - 5.007 * slope), 409.7, 58.83).joint(lHip);
      VPD rThigh(0.117 + slope * (0.6558 + 0.1693 * slope), -169.5, -12.97).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.08244 + slope * (0.06909 - 0.1786 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.101 + slope * (-0.8375 + 4.393 * slope), 256.2, 14.39).time(0.01296);
      LIPOSE rAnkle(-0.2308 + slope * (-1.437 + 3.834 * slope), 85.39, 8.811).time(0.05848);
      LIPOSE lKnee(0.03239 + slope * (-0.5966 + 0.2667 * slope), 497.7, 33.8).time(0.08776);
      LIPOSE lAnkle(-0.2029 + slope * (-0.4612 + 0.01221 * slope), 405.2, 12.13).time(0.08374);
      VPD uTorso(0.1114 + slope * (1.804 - 3.156 * slope), 429.2, 50.39).joint(lHip);
      COMFB2 (-0.08226 + slope * (-0.06103 - 0.7797 * slope)) (-0.4579 + slope * (-0.1179 - 2.541 * slope)) j lAnkle
      VPD rThigh(-0.4671 - 0.3 * (1.65 - com_vx) + slope * (-1.332 - 2.394 * slope), -101.1, -16.3).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2526 + slope * (0.1481 + 0.06598 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.09778 + slope * (-0.2879 + 0.7348 * slope), 178.9, 16.42).time(0.05505);
      LIPOSE rAnkle(0.2364 + slope * (0.6332 - 4.385 * slope), 62.9, 9.141).time(0.3483);
      LIPOSE lAnkle(-0.1097 + slope * (0.4704 - 3.138 * slope), 827, 11.28).time(0.08655);
      LIPOSE lKnee(0.2264 + slope * (0.1148 - 2.833 * slope), 802.7, 23.79).time(0.09813);
      VPD uTorso(0.01395 + 0.15 * (1.65 - com_vx) + slope * (0.1705 - 4.248 * slope), 412.5, 69.55).joint(lHip);
      COMFB2 (0.2904 + slope * (-0.1885 - 0.0746 * slope)) (-0.1305 + slope * (-0.2168 - 0.9672 * slope)) j lAnkle
      VPD rThigh(-0.1822 - 0.3 * (1.65 - com_vx) + slope * (-0.6344 + 7.66 * slope), -155.8, -9.423).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
