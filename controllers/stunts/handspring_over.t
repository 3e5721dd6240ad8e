# A forward handspring from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up
# and over arms in line with the trunk, the arms push off, and after an arched flight both feet land with half-bent knees; then down
# to the squat.
SCRIPTS stand.t, simbicon.t, high_squat.t, squat.t;
SET TORQUELIMIT = 340
SET TORQUELIMIT bShoulder = 102
SET TORQUELIMIT bElbow = 80
SET TORQUELIMIT bHip = 280
SET TORQUELIMIT bKnee = 263
SET TORQUELIMIT bAnkle = 195
BEGINSCRIPT handspring_over(slope)
  PHASE 0  # at rest in the stand
    > stand.t(.4, .4);
    TRANSITION to(1).after(time .5 + slope * (0.584 + 3.62 * slope) and stable .04);
    TRANSITION to(1).after(time 2.5 + slope * (0.956 + 5.77 * slope));
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # two steps of a walk
    > simbicon.t(0.2903 + slope * (0.5942 + 23.22 * slope),
        -0.03507 + slope * (1.061 + 5.443 * slope),
        -2.608,
        -0.2538 + slope * (0.9003 + 3.334 * slope),
        -0.01515,
        0.09888 + slope * (-0.04741 - 7.989 * slope),
        -0.386 + slope * (-0.5048 - 11.72 * slope),
        0.6958 + slope * (1.726 + 15.39 * slope),
        0.8695 + slope * (-0.6416 + 14.77 * slope),
        0.1611 + slope * (-1.231 + 10.18 * slope),
        0.008067,
        0.1312,
        -0.2299 + slope * (-1.138 - 2.747 * slope));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3  # a lunge on the right leg
    ACTIONS
      POSE bShoulder(-1.595 + slope * (-0.9947 - 11.53 * slope), 136.8, 27.84);
      POSE lKnee(-0.01734 + slope * (0.3956 - 12.47 * slope));
      POSE rKnee(0.3444 + slope * (-0.03227 + 0.4438 * slope));
      POSE lHip(0.5138 + slope * (-1.311 + 23.8 * slope), 55.17, 47.22);
      POSE rHip(-1.321 + slope * (0.1818 - 6.265 * slope), 189.5, 80.51);
      POSE rAnkle(-0.0006198 + slope * (0.6744 - 4.666 * slope));
      POSE lAnkle(-0.2717 + slope * (-0.782 - 14.36 * slope));
      POSE bElbow(-0.03153);
    ENDACTIONS
    TRANSITION to(4).after(time 0.116 + slope * (-0.07445 + 0.05666 * slope));
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(0.8 + slope * (1.436 + 6.363 * slope)),
          lTorso2uTorso(0.6652 + slope * (-0.6782 - 14.11 * slope));
      POSE bShoulder(-2.715 + slope * (-0.6492 - 10.53 * slope));
      POSE bWrist(-1.6);
      POSE lKnee(0.3886 + slope * (0.7814 + 3.682 * slope), 696.5, 25.34);
      POSE rKnee(0.109 + slope * (0.163 - 2.011 * slope));
      POSE rHip(-1.706 + slope * (0.9276 + 7.438 * slope), 239.3, 17.11);
      POSE lHip(0.516 + slope * (0.01561 + 10.93 * slope), 214.9, 11.55);
      POSE rAnkle(0.14 + slope * (0.5254 + 16.58 * slope));
      POSE lAnkle(0.3186 + slope * (1.139 + 1.288 * slope));
      POSE bElbow(-0.003571, 866.2, 58.05);
    ENDACTIONS
    TRANSITION to(5).after(time 0.06263 + slope * (-0.02781 - 1.508 * slope));
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE waist(0.7187 + slope * (0.658 + 12.66 * slope)),
          lTorso2uTorso(0.7737 + slope * (1.144 - 3.856 * slope));
      POSE bShoulder(-2.798 + slope * (0.9048 + 2.777 * slope));
      POSE bWrist(-1.6, 54.27, 6.769);
      POSE rHip(-1.657 + slope * (0.8769 + 8.441 * slope));
      POSE lHip(0.518 + slope * (0.04747 - 2.642 * slope));
      POSE rAnkle(0.95 + slope * (-0.1005 - 15.01 * slope));
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.6);
  ENDPHASE
  PHASE 6  # kick up
    ACTIONS
      POSE waist(0.03168 + slope * (0.7318 - 6.73 * slope)),
          lTorso2uTorso(0.03629 + slope * (-0.9954 - 10.57 * slope));
      POSE bShoulder(-2.831 + slope * (0.4039 + 15.85 * slope), 1824, 42.6);
      POSE bElbow(-0.01259, 2694, 83.4);
      POSE bWrist(-1.327, 101.1, 18.56);
      POSE rHip(-0.8043 + slope * (0.1483 - 21.97 * slope));
      POSE lHip(0.4297 + slope * (-0.5161 - 15.8 * slope), 264.5, 49.65);
      POSE rKnee(0.02658 + slope * (0.7373 + 9.05 * slope));
      POSE lKnee(0.7696 + slope * (0.407 + 3.133 * slope));
      POSE bAnkle(0.7749 + slope * (-0.4992 + 11.31 * slope));
    ENDACTIONS
    TRANSITION to(7).after(when com_x - x(rHand) > -0.1446 + slope * (0.1784 - 5.205 * slope));
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 7  # over the hands, arched, the arms push
    ACTIONS
      POSE waist(-0.3581 + slope * (0.3836 + 9.209 * slope), 622.1, 66.93),
          lTorso2uTorso(-0.4 + slope * (1.373 + 15.28 * slope), 997.5, 70.58);
      POSE bShoulder(-3.15 + slope * (-0.3716 + 0.7779 * slope), 1437, 27.43);
      POSE bElbow(0.05, 2362, 166.6);
      POSE bWrist(0.1609, 141, 7.917);
      POSE bHip(0.5027 + slope * (0.7233 + 11.12 * slope), 536, 33.77);
      POSE bKnee(0.6886 - 1.169 * com_vx + slope * (-0.2681 + 9.419 * slope), 453, 14.91);
      POSE bAnkle(-0.4198 + slope * (1.065 + 10.15 * slope));
    ENDACTIONS
    TRANSITION to(8).after(nocontact rHand and nocontact lHand and when com_x - x(rHand) > -0.01303);
    # a landing; during the first 0.15 s a foot can still touch the ground behind the hands
    TRANSITION to(10).after(time .15 and (contact rFoot or contact lFoot));
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 8  # the flight, arched
    ACTIONS
      POSE waist(-0.2576 + slope * (0.4455 + 9.85 * slope), 1059, 129.5),
          lTorso2uTorso(0.4803 + slope * (0.31 - 1.793 * slope), 666.1, 66.49);
      POSE bShoulder(-3.1 + slope * (-0.2542 + 0.6158 * slope), 824.4, 30.6);
      POSE bElbow(-0.04235, 2008, 103.7);
      POSE bWrist(-0.2069, 73.77, 12.82);
      POSE bHip(0.3695 - 0.1604 * com_vx + slope * (1.058 + 17.87 * slope), 587.6, 33.15);
      POSE bKnee(1.117 - 0.7641 * com_vx + slope * (-1.94 - 7.994 * slope), 472.8, 19.57);
      POSE bAnkle(0.3642 + slope * (-0.8912 - 10.18 * slope));
    ENDACTIONS
    TRANSITION to(9).after(when height(bFoot) < 0.3393 and when com_vy < -0.1961);
    TRANSITION to(10).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 9  # the legs reach for the ground
    ACTIONS
      POSE bHip(0.4357 - 0.1094 * com_vx + slope * (-1.344 - 34.95 * slope), 372.9, 30.88);
      POSE bKnee(1.019 - 0.08159 * com_vx + slope * (0.01773 - 14.68 * slope), 169.7, 12.59);
      POSE bAnkle(0.2115 + slope * (-0.06143 + 7.244 * slope));
      POSE bShoulder(-3.071, 342.8, 62.83);
    ENDACTIONS
    TRANSITION to(10).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1);
  ENDPHASE
  PHASE 10  # the trunk up over the feet
    ACTIONS
      POSE waist(0.2413 - 0.1872 * com_vx + slope * (-0.02946 + 4.785 * slope), 1405, 56.06),
          lTorso2uTorso(0.2048 + slope * (-0.8443 - 9.958 * slope), 1415, 80.64);
      POSE bShoulder(-1.257 + slope * (-1.219 - 29.21 * slope), 396.3, 18.13);
      POSE bElbow(-0.248);
      POSE bHip(-0.459 + 0.05221 * com_vx + slope * (-0.1561 + 26.24 * slope), 282.2, 64.75);
      POSE bKnee(0.9896 - 0.1003 * com_vx + slope * (0.1273 + 9.538 * slope), 107.8, 50);
      POSE bAnkle(-0.1969 + 0.03239 * com_vx + slope * (-0.4262 - 8.766 * slope), 124.5, 24.25);
      VFFB uTorso(608.3, 218.9).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(11).after(time 0.3423 + slope * (-0.5116 - 15.78 * slope));
  ENDPHASE
  PHASE 11  # balance with half-bent knees
    > high_squat.t(0.5093);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(12).after(time 0.7731 and stable .5);
    TRANSITION to(12).after(time 1.523);
  ENDPHASE
  PHASE 12  # down to the squat
    > squat.t(1);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
