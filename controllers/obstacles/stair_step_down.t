# A step down stairs with the right foot, from above the left foot's tread to the one below it.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_step_down(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.1), uTorso2neck(0);
      POSE waist(-0.0413, 929, 83), lTorso2uTorso(0.015, 418, 72);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3351 - 0.3595 * (com_vx - 0.7), 400, 12).time(0.15);
      LIPOSE rKnee(0.9491, 240, 16).time(0.074);
      LIPOSE lKnee(0.5089, 500, 20).time(0.115);
      POSE lAnkle(0.1, 109, 10);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.07585, 322, 63).joint(lHip);
      VPD rThigh(-0.1734, -170, -17.5).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.07327);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.492, 224, 15).time(0.03);
      LIPOSE rAnkle(-0.3, 73, 8).time(0.05);
      LIPOSE lKnee(0.2444, 563, 40).time(0.13);
      LIPOSE lAnkle(0.1266, 272.6, 12).time(0.1);
      VPD uTorso(0.01082, 385, 52).joint(lHip);
      VPD rThigh(-0.4515, -150, -13).joint(rHip).flags(s);
      VFSFB pelvis(484.1).by(lAnkle).speed(0.4938 + 0.9424 * (run - 0.33) - 1.758 * (drop - 0.12) - 1.886 * (com_x - x(lFoot) + 0.06));
    ENDACTIONS
    TRANSITION to(2).after(time 0.1186 or when com_x > x(lFoot) + 0.04386);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(1.11, 200, 15).time(0.05);
      LIPOSE rAnkle(-0.2, 73, 8).time(0.1);
      LIPOSE lKnee(0.3468 + 0.4142 * (drop - 0.125), 650, 30).time(0.12);
      LIPOSE lAnkle(-0.0733, 272.6, 12).time(0.1);
      VPD uTorso(0.01945, 450, 70).joint(lHip);
      VPD rThigh(0.04025 - 0.5 * angle(rKnee) - 1.18 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.898 * (edge_after(x(lFoot) - 0.1) - run + 0.07), -300, -22).joint(rHip).flags(s);
      VFSFB pelvis(484.1).by(lAnkle).speed(0.6419 + 0.9424 * (run - 0.33) - 1.758 * (drop - 0.12) - 1.886 * (com_x - x(lFoot)));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.08564 and when com_x > x(lFoot) - 0.125);
    TRANSITION to(3).after(time 0.3);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.3652, 200, 17).time(0.1);
      LIPOSE rAnkle(0.1828, 58, 8).time(0.12);
      LIPOSE lKnee(0.9066 + 2.032 * (drop - 0.125), 768, 21).time(0.1551);
      LIPOSE lAnkle(-0.1684 - 0.9326 * (drop - 0.125), 338.9, 13).time(0.1551);
      VPD uTorso(-0.07214, 500, 80).joint(lHip);
      VPD rThigh(0.1788 - 2.038 * (drop - 0.12) - 0.5 * angle(rKnee) - 1.18 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.898 * (edge_after(x(lFoot) - 0.1) - run + 0.07), -300, -22).joint(rHip).flags(s);
      VFSFB pelvis(484.1).by(lAnkle).speed(0.9229 + 0.9424 * (run - 0.33) - 1.758 * (drop - 0.12) - 1.886 * (com_x - x(lFoot) - 0.07));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
