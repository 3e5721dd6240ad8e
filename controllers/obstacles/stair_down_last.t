# The last step down stairs with the right foot, from above the left foot's tread to the floor.
# The floor is `drop` (m) below the tread.
BEGINSCRIPT stair_down_last(drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.1), uTorso2neck(0);
      POSE waist(-0.0413, 929, 83), lTorso2uTorso(0.015, 418, 72);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3058 - 0.3326 * (com_vx - 0.7), 400, 12).time(0.15);
      LIPOSE rKnee(0.933, 211.7, 16).time(0.074);
      LIPOSE lKnee(0.5899, 500, 20).time(0.115);
      POSE lAnkle(0.1, 109, 10);
      LIPOSE rShoulder(0.1484, 32.9, 4.768).time(0.2126), lShoulder(-0.4152, 34.36, 3.607).time(0.2259);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.07388, 322, 63).joint(lHip);
      VPD rThigh(-0.2063, -166.9, -17.96).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.08861);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.475, 230, 15).time(0.03);
      LIPOSE rAnkle(-0.3, 68.35, 8.209).time(0.05266);
      LIPOSE lKnee(0.1895, 563, 40).time(0.13);
      LIPOSE lAnkle(0.1009, 495.1, 12).time(0.1);
      VPD uTorso(0.01494, 385, 52).joint(lHip);
      VPD rThigh(-0.4396, -150, -13).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(0.8274 - 1.5 * (com_x - x(lFoot) + 0.05));
    ENDACTIONS
    TRANSITION to(2).after(time 0.1356 or when com_x > x(lFoot) + 0.05);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(1.135, 200, 15).time(0.05);
      LIPOSE rAnkle(-0.2, 73, 8).time(0.09694);
      LIPOSE lKnee(0.2748 + 0.4142 * (drop - 0.125), 650, 30).time(0.12);
      LIPOSE lAnkle(-0.06751, 450, 11.72).time(0.1077);
      VPD uTorso(-0.003214, 450, 70).joint(lHip);
      VPD rThigh(-0.1836 - 0.5 * angle(rKnee) - 1.18 * (x(lFoot) + edge_after(x(lFoot) - 0.1006) - x(pelvis)), -300, -22).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(1.293 - 1.5 * (com_x - x(lFoot) + 0.04608));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.1237 and when com_x > x(lFoot) - 0.12);
    TRANSITION to(3).after(time 0.3);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.3368, 200, 17).time(0.1007);
      LIPOSE rAnkle(0.1828, 58, 8).time(0.12);
      LIPOSE lKnee(1.016 + 2.097 * (drop - 0.1385), 768, 20.64).time(0.1509);
      LIPOSE lAnkle(-0.07096 - 1.044 * (drop - 0.1313), 600, 13).time(0.1509);
      VPD uTorso(-0.005242, 500, 80).joint(lHip);
      VPD rThigh(-0.2457 - 0.5 * angle(rKnee) - 1.263 * (x(lFoot) + edge_after(x(lFoot) - 0.09681) - x(pelvis)), -300, -22).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(1.366 - 1.5 * (com_x - x(lFoot) - 0.05));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
