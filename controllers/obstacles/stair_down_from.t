# The first step down stairs, with the right foot: from the landing of the left foot before the first edge to that of the right
# foot on the first tread.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_down_from(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(0.15), uTorso2neck(0.1);
      POSE waist(-0.0413, 929, 84.25), lTorso2uTorso(0.015, 418, 76.68);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.1566 - 0.04524 * (com_vx - 0.7), 400, 12.5).time(0.15);
      LIPOSE rKnee(0.92661, 244.55, 16.136).time(0.074);
      LIPOSE lKnee(0.5473, 520.22, 23.02).time(0.14952);
      POSE lAnkle(0.001852, 101.57, 9.6475);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2206);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(0.0059753, 302.35, 60.053).joint(lHip);
      VPD rThigh(0.029818, -167.67, -17.748).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.090576);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.0378, 237.86, 13.808).time(0.03);
      LIPOSE rAnkle(-0.2, 73, 8.341).time(0.05);
      LIPOSE lKnee(0.36891, 496.84, 39.362).time(0.11019);
      LIPOSE lAnkle(0.061156, 447.27, 12.603).time(0.083444);
      VPD uTorso(0.027501, 378.19, 49.605).joint(lHip);
      VPD rThigh(-0.46119, -150.33, -13).joint(rHip).flags(s);
      VFSFB pelvis(124.47).by(lAnkle).speed(0.68125 + 1.3392 * (run - 0.34852) - 1.3926 * (com_x - x(lFoot) + 0.05));
    ENDACTIONS
    TRANSITION to(2).after(time 0.18168 or when com_x > x(lFoot) + 0.05);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(0.88074, 204.41, 13.56).time(0.041671);
      LIPOSE rAnkle(-0.1, 73, 7.897).time(0.1);
      LIPOSE lKnee(0.39678 + 0.18506 * (drop - 0.12978), 650, 31.72).time(0.13037);
      LIPOSE lAnkle(-0.039025, 450, 12.298).time(0.10538);
      VPD uTorso(-0.11361, 482.17, 70.941).joint(lHip);
      VPD rThigh(-0.069706 - 0.5017 * angle(rKnee) - 1.1745 * (x(lFoot) + edge_after(x(lFoot) - 0.10057) - x(pelvis)) - 0.8 * (edge_after(x(lFoot) - 0.11177) - 0.40238), -300, -17.701).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(0.98694 + 1.3404 * (run - 0.33498) - 1.2052 * (com_x - x(lFoot) + 0.055863));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.063648 and when com_x > x(lFoot) - 0.11414);
    TRANSITION to(3).after(time 0.28207);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.1982, 198.97, 16.987).time(0.1382);
      LIPOSE rAnkle(0.1973, 58, 8).time(0.12);
      LIPOSE lKnee(1.054 + 2.434 * (drop - 0.125), 772.03, 21.451).time(0.134);
      LIPOSE lAnkle(-0.2439 - 1.2325 * (drop - 0.125), 605.01, 12.493).time(0.134);
      VPD uTorso(-0.0409, 507.21, 79.114).joint(lHip);
      VPD rThigh(0.05458 - 1.1 * (drop - 0.1124) - 0.50265 * angle(rKnee) - 1.2409 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.8 * (edge_after(x(lFoot) - 0.10756) - 0.39868), -338.09, -23.897).joint(rHip).flags(s);
      VFSFB pelvis(150.54).by(lAnkle).speed(1.0467 + 1.4293 * (run - 0.35071) - 1.5801 * (com_x - x(lFoot) - 0.05));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
