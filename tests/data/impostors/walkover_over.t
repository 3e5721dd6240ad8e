# An impostor of the walkover: after the landing the trunk leans forward until the feet come together.
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
      POSE bElbow(-0.564, 2241, 124);
      POSE bWrist(1.297, 75.81, 15.26);
      POSE rHip(-0.672, 388.8, 46.14), lHip(0.52, 1293, 48.2);
      POSE rKnee(0.1876), lKnee(1.195, 493.5, 37.9);
      POSE rAnkle(-0.2056), lAnkle(0.2217, 277, 19.86);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(fail).after(time 1.193);
  ENDPHASE
  PHASE 8  # rise over the left foot, the right leg reaches ahead
    ACTIONS
      POSE waist(-0.05519 + 0.07296 * (com_x - x(lFoot) + com_vx / 3.678 - 0.02838), 1261, 58.27),
          lTorso2uTorso(0.4149 + 0.2049 * (com_x - x(lFoot) + com_vx / 5.021 - 0.08229), 1100, 43.67);
      POSE bShoulder(-0.6787, 148.2, 25.73);
      POSE bElbow(-0.3104);
      POSE lHip(-0.7046 - 2.322 * (com_x - x(lFoot) + com_vx / 5.292 - 0.3321), 352.5, 53.96),
          rHip(-0.8643 - 0.04788 * (com_x - x(lFoot) + com_vx / 5.061 + 0.1219), 343.3, 27.42);
      POSE lKnee(0.70 + 0.07601 * (com_vy - 0.1916), 501.7, 47.31), rKnee(0.6416);
      POSE lAnkle(-0.5277, 343, 28.2), rAnkle(-0.5039);
      VFFB uTorso(594.7, 166.5).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(9).after(contact rFoot);
    TRANSITION to(9).after(time 0.1952);
  ENDPHASE
  PHASE 9  # both feet on the ground, the right one ahead
    ACTIONS
      POSE waist(0.631, 1179, 59.21), lTorso2uTorso(0.741, 1013, 37.84);
      POSE bShoulder(-1.273, 248.7, 13.66);
      POSE rHip(-0.4495, 298.9, 44.03), lHip(-0.5105, 341.4, 66.44);
      POSE rKnee(0.8958, 526, 44.62), lKnee(1.29 + 0.1165 * (com_vy - 0.7323), 502.5, 40.61);
      POSE rAnkle(-0.3464, 287.5, 50.75), lAnkle(-0.5106, 392.5, 37.91);
      VFFB uTorso(679.2, 195.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(10).after(time 0.1377);
  ENDPHASE
  PHASE 10  # rise on both, the body over the right foot
    ACTIONS
      LIPOSE waist(0.8, 823, 36.05).time(0.491), lTorso2uTorso(-0.2667, 1602, 63.1).time(0.3731);
      LIPOSE bShoulder(-0.5851, 83.66, 12.77).time(0.7699), bElbow(-0.08917, 87.31, 17.39).time(0.7855),
          bWrist(0.4008, 19, 3.756).time(0.3537);
      LIPOSE rHip(-0.4357, 564.6, 47.59).time(0.4089), lHip(-0.5717, 524.7, 70.88).time(0.5568);
      LIPOSE rKnee(0.291, 575.7, 51.09).time(0.8354), lKnee(0.6743, 558.4, 44.74).time(0.5997);
      LIPOSE rAnkle(-0.1649, 285.9, 24.65).time(0.6612), lAnkle(-0.75, 543.1, 31.18).time(0.2541);
      VFFB uTorso(1548, 374).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(11).after(time 0.6416 and stable 0.8);
    TRANSITION to(12).after(time 3.983);
  ENDPHASE
  PHASE 11  # the weight moves over the right foot
    ACTIONS
      VFFB uTorso(1300, 450).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(12).after(when com_x - x(rFoot) + com_vx / 4 > -.1);
    TRANSITION to(12).after(time 1);
  ENDPHASE
  PHASE 12  # the left foot beside the right one
    > feet_together();
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(13).after(complete);
  ENDPHASE
  PHASE 13
    > stand.t(.5, .5);
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
