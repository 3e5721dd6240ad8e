# A forward walkover from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up and
# over, the right one follows with the legs apart, and the arms push. The left foot lands just after the hands have left the floor,
# the right foot ahead of it as a step, the trunk comes upright as the body rises over both, and the left foot moves beside the right
# one.
SCRIPTS stand.t, simbicon.t, feet_together.t, catch_step_forward.t;
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
      POSE waist(-0.4, 2262, 67.74), lTorso2uTorso(-0.4, 2961, 74.55);
      POSE bShoulder(-3.15, 2864, 48.33);
      POSE bElbow(-0.2304, 2574, 109.2);
      POSE bWrist(1.384, 91.94, 9.291);
      POSE rHip(-0.7072, 401.6, 30.69), lHip(0.5122, 1069, 40.16);
      POSE rKnee(0.379), lKnee(1.3, 593.1, 59.62);
      POSE rAnkle(-0.32), lAnkle(0.5519, 343.1, 24.36);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(fail).after(time 1.193);
  ENDPHASE
  PHASE 8  # rise over the left foot, the right leg reaches ahead
    ACTIONS
      POSE waist(-0.2251 + 0.4037 * (com_x - x(lFoot) + com_vx / 4.066 - 0.00698), 1046, 63.43),
          lTorso2uTorso(0.07504 + 0.8643 * (com_x - x(lFoot) + com_vx / 5.161 - 0.1245), 730.5, 53.09);
      POSE bShoulder(-2.842, 189.8, 19.67);
      POSE bElbow(0.006455);
      POSE bWrist(0, 18.92, 3.556);
      POSE lHip(-0.7088 - 1.908 * (com_x - x(lFoot) + com_vx / 5.231 - 0.5526), 187.7, 64.22),
          rHip(-0.775, 389, 33.96);
      POSE lKnee(0.5542 + 0.08424 * (com_vy - 0.06966), 515.5, 50.06), rKnee(0.6531);
      POSE lAnkle(-0.5587, 313.3, 25.68), rAnkle(-0.4417);
      VFFB uTorso(1009, 183.8).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(9).after(contact rFoot);
    TRANSITION to(9).after(time 0.199);
  ENDPHASE
  PHASE 9  # both feet on the ground, the right one ahead
    ACTIONS
      POSE waist(0.1398 - 0.1921 * (com_x - x(lFoot) + com_vx / 4), 1188, 70.34), lTorso2uTorso(0.2913, 753.4, 37.03);
      POSE bShoulder(-2.978, 235.9, 8.798);
      POSE rHip(-0.5643, 372.3, 37.11), lHip(-0.496, 219.5, 51.84);
      POSE rKnee(1.097, 679.8, 48.56), lKnee(1.101 + 0.1747 * (com_vy - 1.097), 376.3, 48.47);
      POSE rAnkle(-0.3508, 389.5, 69.44), lAnkle(-0.461, 343.5, 46.67);
      VFFB uTorso(878.6, 154.1).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(10).after(time 0.1742);
  ENDPHASE
  PHASE 10  # rise on both, the body over the right foot; the right hip holds the trunk upright
    ACTIONS
      LIPOSE waist(0.1807 - 0.3759 * (com_x - x(rFoot) + com_vx / 4), 837.1, 25.42).time(0.1383),
          lTorso2uTorso(-0.2119, 1657, 46.89).time(0.1333);
      LIPOSE bShoulder(-0.1278, 71.33, 17.81).time(0.7811), bElbow(-0.1862, 106.8, 17.75).time(0.3753),
          bWrist(-0.04, 16.5, 4.297).time(0.2524);
      POSE rHip(-0.0114 + 0.7177 * orientation(uTorso) - 0.515 * (com_x - x(rFoot) + com_vx / 4), 407.7, 52.31),
          lHip(-0.2086 + 0.3212 * orientation(uTorso) - 0.4993 * (com_x - x(rFoot) + com_vx / 4), 252.1, 70.15);
      LIPOSE rKnee(0.5028, 533.7, 44.86).time(0.3336), lKnee(0.3364, 719.8, 62.3).time(0.4771);
      LIPOSE rAnkle(-0.2312, 428.3, 29.28).time(0.2069), lAnkle(-0.586, 490.4, 34.1).time(0.243);
      VFFB uTorso(598.7, 240.9).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(11).after(time 0.3029 and contact rFoot and when com_vx < 0.4966 and when com_x - x(rFoot) + com_vx / 4 > -0.06585);
    TRANSITION to(11).after(time 2.019);
  ENDPHASE
  PHASE 11  # the left foot beside the right one
    > feet_together();
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(13).after(when com_x - x(rFoot) + .32 * com_vx > .16);
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 12
    > stand.t(.5, .5);
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 13  # pushed forward: a step of the left foot stops the fall
    > catch_step_forward().mirrored;
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(12).after(complete);
  ENDPHASE
ENDSCRIPT
