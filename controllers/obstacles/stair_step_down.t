# A step down stairs with the right foot, from above the left foot's tread to the one below it.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_step_down(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(0.15), uTorso2neck(0.1);
      POSE waist(-0.0413, 929, 83), lTorso2uTorso(0.015, 418, 72);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3351 - 0.3595 * (com_vx - 0.7), 400, 12).time(0.15);
      LIPOSE rKnee(0.98143, 261.98, 14.395).time(0.074);
      LIPOSE lKnee(0.52953, 489.39, 20).time(0.12408);
      POSE lAnkle(0.1447, 90.479, 10.262);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.065454, 332.52, 63.561).joint(lHip);
      VPD rThigh(-0.1734, -164.44, -18.271).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.07327);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.4618, 223.76, 15.224).time(0.045568);
      LIPOSE rAnkle(-0.3, 73, 8).time(0.05);
      LIPOSE lKnee(0.2444, 572.27, 40).time(0.12434);
      LIPOSE lAnkle(0.1118, 272.6, 12.103).time(0.091865);
      VPD uTorso(-0.0038369, 385, 52).joint(lHip);
      VPD rThigh(-0.45605, -145.89, -13).joint(rHip).flags(s);
      VFSFB pelvis(514.61).by(lAnkle).speed(0.4938 + 0.91189 * (run - 0.32025) - 1.8039 * (drop - 0.11747) - 1.8725 * (com_x - x(lFoot) + 0.06));
    ENDACTIONS
    TRANSITION to(2).after(time 0.10381 or when com_x > x(lFoot) + 0.076049);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(1.11, 200, 14.735).time(0.052356);
      LIPOSE rAnkle(-0.2, 73, 8).time(0.1);
      LIPOSE lKnee(0.3434 + 0.4142 * (drop - 0.125), 678.04, 28.943).time(0.14475);
      LIPOSE lAnkle(-0.079084, 272.6, 11.67).time(0.095743);
      VPD uTorso(0.01941, 469.21, 70).joint(lHip);
      VPD rThigh(0.04025 - 0.48376 * angle(rKnee) - 1.2121 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.898 * (edge_after(x(lFoot) - 0.09112) - run + 0.099188), -300, -20.369).joint(rHip).flags(s);
      VFSFB pelvis(484.1).by(lAnkle).speed(0.68774 + 0.95713 * (run - 0.33) - 1.7933 * (drop - 0.12) - 1.7931 * (com_x - x(lFoot)));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.083471 and when com_x > x(lFoot) - 0.12192);
    TRANSITION to(3).after(time 0.28396);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.3652, 200, 17.192).time(0.091133);
      LIPOSE rAnkle(0.1828, 58, 8).time(0.12);
      LIPOSE lKnee(0.84948 + 1.9914 * (drop - 0.12288), 768, 19.952).time(0.14997);
      LIPOSE lAnkle(-0.1684 - 0.96763 * (drop - 0.125), 339.82, 12.684).time(0.15966);
      VPD uTorso(-0.081312, 542.97, 83.194).joint(lHip);
      VPD rThigh(0.1788 - 2.038 * (drop - 0.11846) - 0.53383 * angle(rKnee) - 1.146 * (x(lFoot) + edge_after(x(lFoot) - 0.10661) - x(pelvis)) - 0.91263 * (edge_after(x(lFoot) - 0.094209) - run + 0.060211), -315.38, -22).joint(rHip).flags(s);
      VFSFB pelvis(463.92).by(lAnkle).speed(0.9229 + 1.1009 * (run - 0.31667) - 1.7109 * (drop - 0.12847) - 1.7745 * (com_x - x(lFoot) - 0.07));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
