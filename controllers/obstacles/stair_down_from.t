# The first step down stairs, with the right foot: from the landing of the left foot before the first edge to that of the right
# foot on the first tread.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_down_from(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.099), uTorso2neck(0);
      POSE waist(-0.03797, 754.9, 76.35), lTorso2uTorso(0.02781, 463.2, 68.64);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.1774 - 0.0708 * (com_vx - 0.6218), 394.7, 15.35).time(0.1605);
      LIPOSE rKnee(0.9769, 220.3, 16.35).time(0.06946);
      LIPOSE lKnee(0.5941, 568.9, 21.29).time(0.108);
      POSE lAnkle(0.03147, 132.8, 11.64);
      LIPOSE rShoulder(0.1374, 32.73, 5.022).time(0.2041), lShoulder(-0.381, 37.96, 4.174).time(0.1976);
      LIPOSE rElbow(-0.2352, 34.06, 4.312).time(0.511), lElbow(-0.6214, 38.57, 3.317).time(0.6474);
      VPD uTorso(0.04853, 276.9, 75.25).joint(lHip);
      VPD rThigh(0.08775, -232.2, -17.15).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1075 + 0.2414 * (edge_after(x(lFoot) - 0.0921) - 0.4307));
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.157, 223, 17.21).time(0.0616);
      LIPOSE rAnkle(-0.2229, 62.57, 6.735).time(0.05905);
      LIPOSE lKnee(0.3444 - 0.2944 * (edge_after(x(lFoot) - 0.1012) - 0.3071), 489.4, 32.58).time(0.07601);
      LIPOSE lAnkle(0.05567, 481.6, 13.71).time(0.1018);
      VPD uTorso(-0.02212, 396.2, 47.36).joint(lHip);
      VPD rThigh(-0.6262 + 0.2189 * (edge_after(x(lFoot) - 0.09636) - 0.411), -147, -13.8).joint(rHip).flags(s);
      VFSFB pelvis(153.8).by(lAnkle).speed(0.7039 + 1.451 * (run - 0.3492) - 1.556 * (com_x - x(lFoot) + 0.04322));
    ENDACTIONS
    TRANSITION to(2).after(time 0.1629 or when com_x > x(lFoot) + 0.03599);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(0.8925, 185.3, 13.63).time(0.03124);
      LIPOSE rAnkle(-0.09233, 59.05, 6.627).time(0.1144);
      LIPOSE lKnee(0.5174 + 0.1754 * (drop - 0.157), 759.6, 28.21).time(0.1147);
      LIPOSE lAnkle(-0.03795, 437, 15.18).time(0.01934);
      VPD uTorso(-0.1365, 491.8, 71.48).joint(lHip);
      VPD rThigh(0.05566 - 0.5462 * angle(rKnee) - 1.215 * (x(lFoot) + edge_after(x(lFoot) - 0.1199) - x(pelvis)) - 0.9293 * (edge_after(x(lFoot) - 0.08447) - 0.4012), -330.5, -21.72).joint(rHip).flags(s);
      VFSFB pelvis(182.9).by(lAnkle).speed(0.9601 + 1.173 * (run - 0.3352) - 1.665 * (com_x - x(lFoot) + 0.04288));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.0643) + 0.0247 and when com_x > x(lFoot) - 0.1495);
    TRANSITION to(3).after(time 0.2981);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.1964, 161.2, 19.25).time(0.1086);
      LIPOSE rAnkle(0.1834, 51.19, 8).time(0.1538);
      LIPOSE lKnee(1.032 + 3.457 * (drop - 0.1497), 695.1, 20.09).time(0.126);
      LIPOSE lAnkle(-0.2661 - 1.415 * (drop - 0.1471), 530.6, 14.07).time(0.1282);
      VPD uTorso(-0.07023, 568.8, 61.09).joint(lHip);
      VPD rThigh(0.05936 - 1.222 * (drop - 0.1245) - 0.5856 * angle(rKnee) - 1.211 * (x(lFoot) + edge_after(x(lFoot) - 0.114) - x(pelvis)) - 0.7595 * (edge_after(x(lFoot) - 0.1116) - 0.3461), -364.7, -20.8).joint(rHip).flags(s);
      VFSFB pelvis(156.8).by(lAnkle).speed(0.8004 + 1.345 * (run - 0.3441) - 1.294 * (com_x - x(lFoot) - 0.05233));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
