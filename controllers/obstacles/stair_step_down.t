# A step down stairs with the right foot, from above the left foot's tread to the one below it.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_step_down(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.1), uTorso2neck(0);
      POSE waist(-0.1065, 621.2, 57.34), lTorso2uTorso(-0.02151, 431.3, 67.55);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.2625 - 0.3657 * (com_vx - 0.6953), 486.7, 12.27).time(0.1157);
      LIPOSE rKnee(0.8806, 318.7, 10.42).time(0.03165);
      LIPOSE lKnee(0.5495, 373.5, 17.81).time(0.1482);
      POSE lAnkle(0.01413, 114, 8.185);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.1151, 337.8, 69.34).joint(lHip);
      VPD rThigh(-0.3163, -156.8, -22.16).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.02455);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(2.025, 213.3, 23.56).time(0.00295);
      LIPOSE rAnkle(-0.1566, 84.09, 8).time(0.04765);
      LIPOSE lKnee(0.2647, 547.9, 48.77).time(0.1967);
      LIPOSE lAnkle(0.2675, 255.1, 13.75).time(0.05743);
      VPD uTorso(-0.08446, 481.8, 54.9).joint(lHip);
      VPD rThigh(-0.6017, -157.5, -7.407).joint(rHip).flags(s);
      VFSFB pelvis(501.6).by(lAnkle).speed(0.5419 + 1.286 * (run - 0.389) - 2.095 * (drop - 0.09395) - 1.923 * (com_x - x(lFoot) + 0.01911));
    ENDACTIONS
    TRANSITION to(2).after(time 0.1093 or when com_x > x(lFoot) + 0.02395);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(1.004, 198.6, 16.34).time(0.08043);
      LIPOSE rAnkle(-0.09304, 76.38, 8).time(0.1061);
      LIPOSE lKnee(0.2928 + 0.4638 * (drop - 0.1405), 678.4, 32.95).time(0.07116);
      LIPOSE lAnkle(0.009799, 357.7, 8.751).time(0.0322);
      VPD uTorso(0.01074, 475, 58.35).joint(lHip);
      VPD rThigh(0.1104 - 0.5183 * angle(rKnee) - 1.312 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.8853 * (edge_after(x(lFoot) - 0.1) - run - 0.01742), -369.7, -19.8).joint(rHip).flags(s);
      VFSFB pelvis(501.6).by(lAnkle).speed(0.6726 + 1.012 * (run - 0.3974) - 1.77 * (drop - 0.08456) - 1.795 * (com_x - x(lFoot)));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.06676 and when com_x > x(lFoot) - 0.1473);
    TRANSITION to(3).after(time 0.3);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.4448, 192.1, 16.2).time(0.1048);
      LIPOSE rAnkle(0.2084, 47.59, 8).time(0.1702);
      LIPOSE lKnee(0.858 + 1.675 * (drop - 0.1671), 829.5, 18.24).time(0.1216);
      LIPOSE lAnkle(-0.1729 - 0.9919 * (drop - 0.1853), 247, 10.65).time(0.123);
      VPD uTorso(-0.01873, 608.9, 87.15).joint(lHip);
      VPD rThigh(0.1756 - 1.3 * (drop - 0.137) - 0.5639 * angle(rKnee) - 1.436 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 1.265 * (edge_after(x(lFoot) - 0.1) - run + 0.07833), -309.9, -24.65).joint(rHip).flags(s);
      VFSFB pelvis(486.1).by(lAnkle).speed(0.7261 + 1.293 * (run - 0.3565) - 1.686 * (drop - 0.1442) - 2.429 * (com_x - x(lFoot) - 0.09081));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
