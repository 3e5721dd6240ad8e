# The last step down stairs with the right foot, from above the left foot's tread to the floor.
# The floor is `drop` (m) below the tread.
BEGINSCRIPT stair_down_last(drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(0.15), uTorso2neck(0.1);
      POSE waist(-0.0413, 929, 83), lTorso2uTorso(0.015, 418, 72);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3058 - 0.3326 * (com_vx - 0.7), 400, 12).time(0.15);
      LIPOSE rKnee(0.933, 211.7, 16.757).time(0.076547);
      LIPOSE lKnee(0.62905, 510.7, 20).time(0.11128);
      POSE lAnkle(0.1, 109, 10);
      LIPOSE rShoulder(0.1484, 32.9, 4.768).time(0.2126), lShoulder(-0.4152, 34.36, 3.607).time(0.2259);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.068776, 322, 58.461).joint(lHip);
      VPD rThigh(-0.19743, -176.05, -18.252).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.091843);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.5081, 220.39, 14.473).time(0.03);
      LIPOSE rAnkle(-0.3, 68.35, 8.209).time(0.05266);
      LIPOSE lKnee(0.19343, 583.81, 39.3).time(0.13457);
      LIPOSE lAnkle(0.10645, 569.54, 12.262).time(0.10038);
      VPD uTorso(0.02158, 373.6, 56.768).joint(lHip);
      VPD rThigh(-0.54846, -141.03, -13.344).joint(rHip).flags(s);
      VFSFB pelvis(146.09).by(lAnkle).speed(0.8274 - 1.4786 * (com_x - x(lFoot) + 0.061628));
    ENDACTIONS
    TRANSITION to(2).after(time 0.14558 or when com_x > x(lFoot) + 0.063301);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(1.135, 200, 15).time(0.079356);
      LIPOSE rAnkle(-0.2, 73, 8).time(0.09694);
      LIPOSE lKnee(0.27234 + 0.42884 * (drop - 0.12767), 650, 31.832).time(0.13347);
      LIPOSE lAnkle(-0.07127, 445.64, 11.72).time(0.11433);
      VPD uTorso(0.041575, 481.92, 65.592).joint(lHip);
      VPD rThigh(-0.1836 - 0.51908 * angle(rKnee) - 1.3046 * (x(lFoot) + edge_after(x(lFoot) - 0.10262) - x(pelvis)), -310.06, -22).joint(rHip).flags(s);
      VFSFB pelvis(156.54).by(lAnkle).speed(1.293 - 1.5212 * (com_x - x(lFoot) + 0.037464));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.079229) + 0.12839 and when com_x > x(lFoot) - 0.13477);
    TRANSITION to(3).after(time 0.31407);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.34082, 194.68, 17).time(0.15014);
      LIPOSE rAnkle(0.1828, 58, 8).time(0.12);
      LIPOSE lKnee(0.98347 + 2.097 * (drop - 0.14004), 744.39, 20.64).time(0.15467);
      LIPOSE lAnkle(-0.07096 - 0.93669 * (drop - 0.12175), 596.72, 12.42).time(0.14981);
      VPD uTorso(-0.005242, 500, 79.521).joint(lHip);
      VPD rThigh(-0.25769 - 0.48566 * angle(rKnee) - 1.3374 * (x(lFoot) + edge_after(x(lFoot) - 0.098341) - x(pelvis)), -281.82, -21.828).joint(rHip).flags(s);
      VFSFB pelvis(142.95).by(lAnkle).speed(1.366 - 1.4926 * (com_x - x(lFoot) - 0.039489));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
