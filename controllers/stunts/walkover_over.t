# A forward walkover from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up and
# over, the right one follows with the legs apart, and the arms push. The left foot lands just after the hands have left the floor,
# the right foot ahead of it as a step, the body rises over both, and the left foot moves beside the right one.
SCRIPTS stand.t, simbicon.t, feet_together.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT walkover_over(void)
  PHASE 0  # at rest in the stand
    > stand.t(.4, .4);
    TRANSITION to(1).after(time .5 and stable .04);
    TRANSITION to(1).after(time 2.5);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # two steps of a walk
    > simbicon.t(0.3044, -0.05244, -2.502, -0.1877, 0.008511, 0.03814, -0.4483, 0.7716, 1.005, 0.1552, 0.03226, 0.07807,
        -0.2837);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bShoulder(-1.718, 175.8, 25.05);
      POSE lKnee(-0.05);
      POSE rKnee(0.7163);
      POSE lHip(-0.1596, 94.85, 35.54);
      POSE rHip(-1.219, 131.3, 39.32);
      POSE rAnkle(-0.1852);
      POSE lAnkle(0.2579);
      POSE bElbow(0.05);
    ENDACTIONS
    TRANSITION to(4).after(time 0.06781);
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(-0.1753), lTorso2uTorso(0.2912);
      POSE bShoulder(-2.232);
      POSE bWrist(-0.642);
      POSE lKnee(-0.05, 384.2, 32.68);
      POSE rKnee(-0.05);
      POSE rHip(-1.262, 310.1, 17.76);
      POSE lHip(-0.555, 237.2, 13.14);
      POSE rAnkle(0.5075);
      POSE lAnkle(0.3534);
      POSE bElbow(0.05, 805.6, 43.87);
    ENDACTIONS
    TRANSITION to(5).after(time 0.1338);
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.323);
      POSE bWrist(-1.6, 104.3, 6.1);
      POSE rHip(-1.536);
      POSE lHip(0.4972);
      POSE rAnkle(0.8664);
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.614);
  ENDPHASE
  PHASE 6  # over the hands, the legs apart
    ACTIONS
      POSE waist(-0.04946, 1241, 80.86), lTorso2uTorso(-0.3872, 557.7, 99.19);
      POSE bShoulder(-2.875, 996.1, 95.91);
      POSE bElbow(0.05, 1705, 119.4);
      POSE bWrist(-1.161, 67.25, 10.15);
      POSE rHip(-1.715, 242.5, 33.43), lHip(0.1213, 291, 42.82);
      POSE rKnee(-0.01591), lKnee(0.5339);
      POSE bAnkle(-0.75);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(7).after(when com_x - x(rHand) > 0.3647);
    TRANSITION to(fail).after(time 1.368);
  ENDPHASE
  PHASE 7  # the left foot reaches for the ground ahead, the arms push
    ACTIONS
      POSE waist(-0.4, 3207, 100.3), lTorso2uTorso(-0.4, 3093, 78.24);
      POSE bShoulder(-3.15, 2343, 55.85);
      POSE bElbow(-0.549, 2241, 124);
      POSE bWrist(1.277, 75.81, 15.26);
      POSE rHip(-0.753, 388.8, 46.14), lHip(0.52, 1293, 48.2);
      POSE rKnee(0.2367), lKnee(1.219, 493.5, 37.9);
      POSE rAnkle(-0.2168), lAnkle(0.2117, 277, 19.86);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(fail).after(time 1.193);
  ENDPHASE
  PHASE 8  # rise over the left foot, the right leg reaches ahead
    ACTIONS
      POSE waist(-0.1858 + 0.04079 * (com_x - x(lFoot) + com_vx / 3.542 - 0.0191), 1261, 58.27),
          lTorso2uTorso(0.4518 + 0.1711 * (com_x - x(lFoot) + com_vx / 5.152 - 0.0787), 1100, 43.67);
      POSE bShoulder(-0.7365, 148.2, 25.73);
      POSE bElbow(-0.3219);
      POSE lHip(-0.9149 - 1.931 * (com_x - x(lFoot) + com_vx / 5.179 - 0.2504), 352.5, 53.96),
          rHip(-0.8176 - 0.04668 * (com_x - x(lFoot) + com_vx / 5.269 - 0.3192), 343.3, 27.42);
      POSE lKnee(0.7652 + 0.04135 * (com_vy - 0.2129), 501.7, 47.31), rKnee(0.6621);
      POSE lAnkle(-0.5441, 343, 28.2), rAnkle(-0.4674);
      VFFB uTorso(594.7, 166.5).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(9).after(contact rFoot);
    TRANSITION to(9).after(time 0.2098);
  ENDPHASE
  PHASE 9  # both feet on the ground, the right one ahead
    ACTIONS
      POSE waist(0.628, 1179, 59.21), lTorso2uTorso(0.7182, 1013, 37.84);
      POSE bShoulder(-1.104, 248.7, 13.66);
      POSE rHip(-0.6381, 298.9, 44.03), lHip(-0.6493, 341.4, 66.44);
      POSE rKnee(0.8874, 526, 44.62), lKnee(1.406 + 0.1484 * (com_vy - 0.7189), 502.5, 40.61);
      POSE rAnkle(-0.4172, 287.5, 50.75), lAnkle(-0.3746, 392.5, 37.91);
      VFFB uTorso(679.2, 195.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(10).after(time 0.1063);
  ENDPHASE
  PHASE 10  # rise on both, the body over the right foot
    ACTIONS
      LIPOSE waist(0.7915, 823, 36.05).time(0.4473), lTorso2uTorso(-0.3216, 1602, 63.1).time(0.364);
      LIPOSE bShoulder(-0.614, 83.66, 12.77).time(0.7726), bElbow(-0.02541, 87.31, 17.39).time(0.6687),
          bWrist(0.4578, 19, 3.756).time(0.3196);
      LIPOSE rHip(-0.4236, 564.6, 47.59).time(0.512), lHip(-0.6471, 524.7, 70.88).time(0.5048);
      LIPOSE rKnee(0.2039, 575.7, 51.09).time(0.903), lKnee(0.5171, 558.4, 44.74).time(0.6942);
      LIPOSE rAnkle(-0.1972, 285.9, 24.65).time(0.6806), lAnkle(-0.7055, 543.1, 31.18).time(0.2535);
      VFFB uTorso(1548, 374).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(11).after(time 0.5411 and stable 0.8);
    TRANSITION to(11).after(time 4.192);
  ENDPHASE
  PHASE 11  # the left foot beside the right one
    > feet_together();
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 12
    > stand.t(.5, .5);
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
