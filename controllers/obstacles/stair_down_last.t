# The last step down stairs with the right foot, from above the left foot's tread to the floor.
# The floor is `drop` (m) below the tread.
BEGINSCRIPT stair_down_last(drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.09139), uTorso2neck(0);
      POSE waist(-0.05076, 683.8, 65.84), lTorso2uTorso(-0.107, 267.4, 72.32);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3011 - 0.3507 * (com_vx - 0.6588), 369.2, 8.57).time(0.2234);
      LIPOSE rKnee(0.7632, 163.8, 9.349).time(0.2173);
      LIPOSE lKnee(0.8057, 174, 21.44).time(0.09826);
      POSE lAnkle(0.186, 81.05, 9.325);
      LIPOSE rShoulder(0.166, 31.5, 4.944).time(0.2038), lShoulder(-0.4096, 36.8, 3.532).time(0.2457);
      LIPOSE rElbow(-0.2299, 36.76, 3.845).time(0.5911), lElbow(-0.6435, 43.42, 3.59).time(0.6201);
      VPD uTorso(-0.108, 315.6, 73.7).joint(lHip);
      VPD rThigh(-0.1632, -173, -15.18).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09877);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.629, 298.3, 18.8).time(0.0521);
      LIPOSE rAnkle(-0.2784, 61.58, 8.538).time(0.02301);
      LIPOSE lKnee(0.3138, 438, 43.84).time(0.1612);
      LIPOSE lAnkle(0.05801, 625.5, 15.64).time(0.1319);
      VPD uTorso(0.08523, 414, 54.77).joint(lHip);
      VPD rThigh(-0.4075, -138.9, -12.96).joint(rHip).flags(s);
      VFSFB pelvis(296.8).by(lAnkle).speed(1.131 - 1.375 * (com_x - x(lFoot) + 0.05776));
    ENDACTIONS
    TRANSITION to(2).after(time 0.165 or when com_x > x(lFoot) + 0.108);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(1.15, 187.2, 15.91).time(0.06286);
      LIPOSE rAnkle(-0.3442, 84.32, 8).time(0.05677);
      LIPOSE lKnee(0.3775 + 0.2835 * (drop - 0.1165), 396.3, 29.97).time(0.1701);
      LIPOSE lAnkle(-0.04015, 414, 11.55).time(0.1791);
      VPD uTorso(-0.02934, 585, 71.79).joint(lHip);
      VPD rThigh(-0.2948 - 0.4714 * angle(rKnee) - 0.6332 * (x(lFoot) + edge_after(x(lFoot) - 0.1071) - x(pelvis)), -214, -26.88).joint(rHip).flags(s);
      VFSFB pelvis(133.2).by(lAnkle).speed(1.323 - 1.39 * (com_x - x(lFoot) + 0.0358));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.08753) + 0.02109 and when com_x > x(lFoot) - 0.1433);
    TRANSITION to(3).after(time 0.2703);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.298, 155.7, 13.22).time(0.06885);
      LIPOSE rAnkle(0.2549, 50.14, 8).time(0.1452);
      LIPOSE lKnee(0.8333 + 1.773 * (drop - 0.1616), 718, 20.41).time(0.1613);
      LIPOSE lAnkle(-0.1316 - 0.7027 * (drop - 0.04066), 473.9, 15.24).time(0.1499);
      VPD uTorso(-0.1108, 320.2, 77.91).joint(lHip);
      VPD rThigh(-0.3592 - 0.408 * angle(rKnee) - 1.374 * (x(lFoot) + edge_after(x(lFoot) - 0.08154) - x(pelvis)), -205, -28.37).joint(rHip).flags(s);
      VFSFB pelvis(144.4).by(lAnkle).speed(1.835 - 1.096 * (com_x - x(lFoot) - 0.003097));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
