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
      POSE waist(-0.4, 2789, 101.1), lTorso2uTorso(-0.4, 3321, 78.06);
      POSE bShoulder(-3.15, 2559, 56.2);
      POSE bElbow(-0.6571, 2099, 119.5);
      POSE bWrist(1.4, 80.18, 14.53);
      POSE rHip(-0.7313, 385.9, 48.83), lHip(0.515, 1233, 50.14);
      POSE rKnee(0.2661), lKnee(1.249, 479.7, 37.51);
      POSE rAnkle(-0.2909), lAnkle(0.3307, 276.9, 18.86);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(fail).after(time 1.193);
  ENDPHASE
  PHASE 8  # rise over the left foot, the right leg reaches ahead
    ACTIONS
      POSE waist(-0.08017 + 0.06911 * (com_x - x(lFoot) + com_vx / 4.066 - 0.04266), 1164, 50.53),
          lTorso2uTorso(0.3689 + 0.1396 * (com_x - x(lFoot) + com_vx / 5.161 - 0.08207), 954.1, 42.63);
      POSE bShoulder(-0.5811, 153.5, 21.82);
      POSE bElbow(-0.6077);
      POSE lHip(-0.7742 - 2.283 * (com_x - x(lFoot) + com_vx / 5.231 - 0.6326), 372.4, 47.52),
          rHip(-0.9209 - 0.02517 * (com_x - x(lFoot) + com_vx / 4.98 + 0.1387), 321.3, 29);
      POSE lKnee(0.711 + 0.08424 * (com_vy - 0.2025), 478.3, 51.51), rKnee(0.7481);
      POSE lAnkle(-0.5166, 329.7, 28.69), rAnkle(-0.5409);
      VFFB uTorso(576, 182.5).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(9).after(contact rFoot);
    TRANSITION to(9).after(time 0.205);
  ENDPHASE
  PHASE 9  # both feet on the ground, the right one ahead
    ACTIONS
      POSE waist(0.2292, 1236, 63.66), lTorso2uTorso(0.3426, 1045, 38.34);
      POSE bShoulder(-1.234, 245.2, 12.56);
      POSE rHip(-0.6585, 326.4, 46.94), lHip(-0.3729, 315.2, 60.63);
      POSE rKnee(1.022, 537.9, 44.81), lKnee(1.285 + 0.1747 * (com_vy - 0.9875), 422.2, 37.14);
      POSE rAnkle(-0.4291, 271.3, 48.97), lAnkle(-0.6678, 392.7, 34.56);
      VFFB uTorso(679.2, 183.2).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(10).after(time 0.1321);
  ENDPHASE
  PHASE 10  # rise on both, the body over the right foot; the right hip holds the trunk upright
    ACTIONS
      LIPOSE waist(0.07757, 894.3, 40.72).time(0.2282), lTorso2uTorso(-0.2391, 1586, 65.57).time(0.1633);
      LIPOSE bShoulder(-0.3208, 92.04, 13.15).time(0.5511), bElbow(-0.1385, 90.35, 16.98).time(0.4382),
          bWrist(0.03076, 18.86, 3.407).time(0.3673);
      POSE rHip(-0.1493 + 1.008 * orientation(uTorso), 370.3, 55.51), lHip(-0.08154 + 0.02155 * orientation(uTorso), 390.5, 63.27);
      LIPOSE rKnee(0.3553, 607.6, 59.07).time(0.2718), lKnee(0.4154, 574.5, 48.45).time(0.4171);
      LIPOSE rAnkle(-0.166, 342.1, 25.64).time(0.3051), lAnkle(-0.3749, 532.5, 35.25).time(0.2501);
      VFFB uTorso(1172, 382.2).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(11).after(time 0.3079 and contact rFoot and when com_vx < 0.48 and when com_x - x(rFoot) + com_vx / 4 > -0.05);
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
