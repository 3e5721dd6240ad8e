# The first step down stairs, with the right foot: from the landing of the left foot before the first edge to that of the right
# foot on the first tread.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_down_from(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.1), uTorso2neck(0);
      POSE waist(-0.0413, 929, 84.25), lTorso2uTorso(0.015, 418, 76.68);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.1566 - 0.04524 * (com_vx - 0.7), 400, 12.5).time(0.15);
      LIPOSE rKnee(0.9616, 247.1, 16.41).time(0.074);
      LIPOSE lKnee(0.5473, 500, 21.74).time(0.115);
      POSE lAnkle(0.01631, 109, 10);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2206);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(0.01265, 297.3, 63).joint(lHip);
      VPD rThigh(0.02942, -170, -17.5).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09316);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.049, 224, 15).time(0.03);
      LIPOSE rAnkle(-0.2, 73, 8.341).time(0.05);
      LIPOSE lKnee(0.3535, 563, 40).time(0.1);
      LIPOSE lAnkle(0.05249, 468.6, 12).time(0.1);
      VPD uTorso(0.02898, 385, 52).joint(lHip);
      VPD rThigh(-0.4651, -150, -13).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(0.7087 + 1.323 * (run - 0.35) - 1.5 * (com_x - x(lFoot) + 0.05));
    ENDACTIONS
    TRANSITION to(2).after(time 0.1495 or when com_x > x(lFoot) + 0.05);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(0.8894, 200, 14.66).time(0.05);
      LIPOSE rAnkle(-0.1, 73, 7.897).time(0.1);
      LIPOSE lKnee(0.4289 + 0.1885 * (drop - 0.125), 650, 30).time(0.12);
      LIPOSE lAnkle(-0.04263, 450, 12).time(0.1);
      VPD uTorso(-0.1161, 450, 70).joint(lHip);
      VPD rThigh(-0.04274 - 0.5017 * angle(rKnee) - 1.18 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.8 * (edge_after(x(lFoot) - 0.1) - 0.4), -300, -22).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(0.9718 + 1.28 * (run - 0.33) - 1.424 * (com_x - x(lFoot) + 0.05));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.0815 and when com_x > x(lFoot) - 0.12);
    TRANSITION to(3).after(time 0.3);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.1982, 200, 17).time(0.114);
      LIPOSE rAnkle(0.1973, 58, 8).time(0.12);
      LIPOSE lKnee(1.054 + 2.434 * (drop - 0.125), 768, 21).time(0.134);
      LIPOSE lAnkle(-0.2439 - 1.289 * (drop - 0.125), 600, 13).time(0.134);
      VPD uTorso(-0.0409, 500, 80).joint(lHip);
      VPD rThigh(0.05458 - 1.1 * (drop - 0.1124) - 0.5 * angle(rKnee) - 1.18 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.8 * (edge_after(x(lFoot) - 0.1) - 0.4), -305.6, -22.7).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(1.036 + 1.362 * (run - 0.33) - 1.5 * (com_x - x(lFoot) - 0.05));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
