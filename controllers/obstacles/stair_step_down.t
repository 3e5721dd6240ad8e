# A step down stairs with the right foot, from above the left foot's tread to the one below it.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_step_down(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.1066), uTorso2neck(0);
      POSE waist(-0.1352, 630, 58.21), lTorso2uTorso(-0.01816, 422.1, 66.84);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.246 - 0.3982 * (com_vx - 0.6885), 453.3, 12.86).time(0.132);
      LIPOSE rKnee(0.9096, 308.4, 9.837).time(0.03005);
      LIPOSE lKnee(0.5487, 381.9, 17.81).time(0.1357);
      POSE lAnkle(0.006873, 114, 8.776);
      LIPOSE rShoulder(0.1503, 31.04, 4.81).time(0.2031), lShoulder(-0.4526, 33.7, 3.841).time(0.2415);
      LIPOSE rElbow(-0.1744, 30.78, 3.972).time(0.5725), lElbow(-0.6234, 37.83, 3.815).time(0.6427);
      VPD uTorso(-0.1426, 361.7, 75.83).joint(lHip);
      VPD rThigh(-0.2905, -164.6, -22.86).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.008481);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.936, 217.8, 23.49).time(0.008764);
      LIPOSE rAnkle(-0.1996, 84.74, 8).time(0.03457);
      LIPOSE lKnee(0.2633, 629.5, 48.82).time(0.189);
      LIPOSE lAnkle(0.2532, 286.7, 15.31).time(0.0594);
      VPD uTorso(-0.08556, 477.8, 59.03).joint(lHip);
      VPD rThigh(-0.548, -164.9, -8.304).joint(rHip).flags(s);
      VFSFB pelvis(484.5).by(lAnkle).speed(0.5529 + 1.242 * (run - 0.4143) - 2.095 * (drop - 0.0815) - 1.988 * (com_x - x(lFoot) + 0.004325));
    ENDACTIONS
    TRANSITION to(2).after(time 0.09304 or when com_x > x(lFoot) + 0.02153);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(0.9313, 220.9, 17.39).time(0.086);
      LIPOSE rAnkle(-0.07581, 84.02, 8).time(0.1249);
      LIPOSE lKnee(0.2882 + 0.4514 * (drop - 0.1363), 682.8, 31.07).time(0.06111);
      LIPOSE lAnkle(0.02767, 372.1, 8.921).time(0.01765);
      VPD uTorso(0.02884, 475, 57.72).joint(lHip);
      VPD rThigh(0.1222 - 0.5513 * angle(rKnee) - 1.317 * (x(lFoot) + edge_after(x(lFoot) - 0.09865) - x(pelvis)) - 0.9078 * (edge_after(x(lFoot) - 0.08406) - run - 0.04121), -388.2, -20.66).joint(rHip).flags(s);
      VFSFB pelvis(539.6).by(lAnkle).speed(0.6615 + 0.9922 * (run - 0.3897) - 1.797 * (drop - 0.07149) - 1.799 * (com_x - x(lFoot)));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1062) + 0.06772 and when com_x > x(lFoot) - 0.1514);
    TRANSITION to(3).after(time 0.3083);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.4523, 168, 15.55).time(0.1033);
      LIPOSE rAnkle(0.2068, 47.35, 8).time(0.167);
      LIPOSE lKnee(0.8496 + 1.558 * (drop - 0.1617), 729, 17.64).time(0.1565);
      LIPOSE lAnkle(-0.1507 - 0.9922 * (drop - 0.1856), 247, 11.35).time(0.1211);
      VPD uTorso(-0.02457, 595.4, 96.44).joint(lHip);
      VPD rThigh(0.1707 - 1.369 * (drop - 0.1341) - 0.5821 * angle(rKnee) - 1.575 * (x(lFoot) + edge_after(x(lFoot) - 0.09587) - x(pelvis)) - 1.133 * (edge_after(x(lFoot) - 0.08738) - run + 0.0836), -318.8, -24.51).joint(rHip).flags(s);
      VFSFB pelvis(554.9).by(lAnkle).speed(0.7346 + 1.269 * (run - 0.35) - 1.835 * (drop - 0.1453) - 2.491 * (com_x - x(lFoot) - 0.06205));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
