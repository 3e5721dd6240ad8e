# A forward handspring from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up and
# over, the arms push off, and both feet land in the squat after a flight.
SCRIPTS stand.t, simbicon.t, squat.t;
SET TORQUELIMIT = 340
SET TORQUELIMIT bShoulder = 102
SET TORQUELIMIT bElbow = 80
SET TORQUELIMIT bHip = 280
SET TORQUELIMIT bKnee = 263
SET TORQUELIMIT bAnkle = 195
BEGINSCRIPT handspring_over(void)
  PHASE 0  # at rest in the stand
    > stand.t(.4, .4);
    TRANSITION to(1).after(time .5 + slope(com_x) * (0.584 + 3.62 * slope(com_x)) and stable .04);
    TRANSITION to(1).after(time 2.5 + slope(com_x) * (0.956 + 5.77 * slope(com_x)));
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
      POSE bShoulder(-1.5 + slope(com_x) * (-0.344 + 3.05 * slope(com_x)), 159.6, 32.81);
      POSE lKnee(-0.04936 + slope(com_x) * (-1.15 - 4.05 * slope(com_x)));
      POSE rKnee(0.538 + slope(com_x) * (0.396 - 4.23 * slope(com_x)));
      POSE lHip(0.4258 + slope(com_x) * (-0.065 + 1.5 * slope(com_x)), 137.4, 35.87);
      POSE rHip(-1 + slope(com_x) * (-0.123 - 10.3 * slope(com_x)), 137.4, 35.87);
      POSE rAnkle(0.04908 + slope(com_x) * (0.172 + 6.9 * slope(com_x)));
      POSE lAnkle(0.1485 + slope(com_x) * (-0.986 - 11.2 * slope(com_x)));
      POSE bElbow(-0.3196);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1419 + slope(com_x) * (1.12 + 9.23 * slope(com_x)));
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(0.4261 + slope(com_x) * (-0.6555 - 21.84 * slope(com_x))),
          lTorso2uTorso(0.8 + slope(com_x) * (-1.869 - 1.994 * slope(com_x)));
      POSE bShoulder(-1.952 + slope(com_x) * (1.025 - 5.956 * slope(com_x)));
      POSE bWrist(-1.531);
      POSE lKnee(0.02531 + slope(com_x) * (-0.2204 - 27.65 * slope(com_x)), 490.5, 33.62);
      POSE rKnee(0.1726 + slope(com_x) * (-1.503 + 39.3 * slope(com_x)));
      POSE rHip(-0.9619 + slope(com_x) * (0.08246 - 22.88 * slope(com_x)), 259, 15.01);
      POSE lHip(0.5062 + slope(com_x) * (-0.4566 - 6.27 * slope(com_x)), 259, 15.01);
      POSE rAnkle(0.2528 + slope(com_x) * (-0.6354 - 9.371 * slope(com_x)));
      POSE lAnkle(0.4354 + slope(com_x) * (-0.313 - 34.8 * slope(com_x)));
      POSE bElbow(-0.02805, 772.6, 54.18);
    ENDACTIONS
    TRANSITION to(5).after(time 0.1087 + slope(com_x) * (1.256 + 1.332 * slope(com_x)));
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.483 + slope(com_x) * (-0.5336 - 18.67 * slope(com_x)));
      POSE bWrist(-1.399, 85.48, 6.441);
      POSE rHip(-1.459 + slope(com_x) * (-0.6075 + 14.16 * slope(com_x)));
      POSE lHip(0.405 + slope(com_x) * (0.05413 - 3.825 * slope(com_x)));
      POSE rAnkle(0.9278 + slope(com_x) * (0.503 - 23.03 * slope(com_x)));
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.6 + slope(com_x) * (-0.312 - 5.05 * slope(com_x)));
  ENDPHASE
  PHASE 6  # kick up
    ACTIONS
      POSE bShoulder(-2.622 + slope(com_x) * (0.3333 + 4.434 * slope(com_x)), 1253, 90.56);
      POSE bElbow(-0.09351, 2788, 105);
      POSE bWrist(-1.316, 90.01, 21.81);
      POSE rHip(-1.283 + slope(com_x) * (0.1973 + 17.54 * slope(com_x)));
      POSE lHip(0.4698 + slope(com_x) * (-0.2943 - 20.33 * slope(com_x)), 307, 66.26);
      POSE rKnee(0.1197 + slope(com_x) * (1.046 - 7.697 * slope(com_x)));
      POSE lKnee(0.4016 + slope(com_x) * (0.5591 - 6.945 * slope(com_x)));
      POSE bAnkle(0.1103 + slope(com_x) * (0.201 + 14.4 * slope(com_x)));
    ENDACTIONS
    TRANSITION to(7).after(when com_x - x(rHand) > -0.1661);
    TRANSITION to(fail).after(time 1.2 + slope(com_x) * (-0.292 - 14.6 * slope(com_x)));
  ENDPHASE
  PHASE 7  # over the hands, arched, the arms push
    ACTIONS
      POSE waist(-0.206 + slope(com_x) * (0.1242 - 23.85 * slope(com_x)), 838.8, 90.59),
          lTorso2uTorso(-0.2921 + slope(com_x) * (0.4699 + 2.745 * slope(com_x)), 1282, 73.79);
      POSE bShoulder(-3.15 + slope(com_x) * (0.8929 - 4.078 * slope(com_x)), 897.8, 56.58);
      POSE bElbow(-0.2435, 1840, 116.1);
      POSE bWrist(-0.08883, 84.42, 12.47);
      POSE bHip(0.4774 + slope(com_x) * (-0.5719 + 19.87 * slope(com_x)), 399.4, 29.82);
      POSE bKnee(1.56 - 0.4187 * com_vx, 532.9, 17.75);
      POSE bAnkle(-0.2409 + slope(com_x) * (-0.788 + 8.594 * slope(com_x)));
    ENDACTIONS
    TRANSITION to(8).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1.2 + slope(com_x) * (-0.122 + 0.0914 * slope(com_x)));
  ENDPHASE
  PHASE 8  # the trunk up over the feet
    ACTIONS
      POSE waist(0.4589 + slope(com_x) * (0.7922 - 33.6 * slope(com_x)), 1061, 47.3),
          lTorso2uTorso(0.2798 + slope(com_x) * (-2.365 - 0.3599 * slope(com_x)), 1091, 64.27);
      POSE bShoulder(-1.497 + slope(com_x) * (0.3148 + 23.71 * slope(com_x)), 326.5, 20.53);
      POSE bElbow(-0.2573);
      POSE bHip(-0.4959 + slope(com_x) * (0.7068 + 27.14 * slope(com_x)), 288.8, 55.42);
      POSE bKnee(1.344 + slope(com_x) * (-0.8362 + 0.5968 * slope(com_x)), 209, 41.59);
      POSE bAnkle(-0.4281 + slope(com_x) * (0.8809 + 24.34 * slope(com_x)), 491.7, 46.46);
      VFFB uTorso(557.7, 186.6).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(9).after(time 0.4374 + slope(com_x) * (-0.6483 + 14.92 * slope(com_x)));
  ENDPHASE
  PHASE 9
    > squat.t(1.);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
