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
    > simbicon.t(0.3396 + slope * (0.5942 + 23.22 * slope),
        0.009039 + slope * (1.061 + 5.443 * slope),
        -2.375,
        -0.2632 + slope * (0.9003 + 3.334 * slope),
        -0.06345,
        0.08636 + slope * (-0.04741 - 7.989 * slope),
        -0.3451 + slope * (-0.5048 - 11.72 * slope),
        0.6518 + slope * (1.726 + 15.39 * slope),
        0.8099 + slope * (-0.6416 + 14.77 * slope),
        0.2015 + slope * (-1.231 + 10.18 * slope),
        -0.00359,
        0.1466,
        -0.243 + slope * (-1.138 - 2.747 * slope));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3  # a lunge on the right leg
    ACTIONS
      POSE bShoulder(-1.515 + slope * (-0.9947 - 11.53 * slope), 139.7, 22.37);
      POSE lKnee(0.001533 + slope * (0.3956 - 12.47 * slope));
      POSE rKnee(0.2082 + slope * (-0.03227 + 0.4438 * slope));
      POSE lHip(0.413 + slope * (-1.311 + 23.8 * slope), 51.15, 49.75);
      POSE rHip(-1.311 + slope * (0.1818 - 6.265 * slope), 170.8, 80.36);
      POSE rAnkle(-0.08335 + slope * (0.6744 - 4.666 * slope));
      POSE lAnkle(-0.3168 + slope * (-0.782 - 14.36 * slope));
      POSE bElbow(-0.07413);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1018 + slope * (-0.07445 + 0.05666 * slope));
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(0.7281 + slope * (1.436 + 6.363 * slope)),
          lTorso2uTorso(0.7117 + slope * (-0.6782 - 14.11 * slope));
      POSE bShoulder(-2.797 + slope * (-0.6492 - 10.53 * slope));
      POSE bWrist(-1.499);
      POSE lKnee(0.3708 + slope * (0.7814 + 3.682 * slope), 688.4, 26.97);
      POSE rKnee(0.3123 + slope * (0.163 - 2.011 * slope));
      POSE rHip(-1.734 + slope * (0.9276 + 7.438 * slope), 212.5, 15.95);
      POSE lHip(0.4426 + slope * (0.01561 + 10.93 * slope), 254.7, 12.27);
      POSE rAnkle(0.1775 + slope * (0.5254 + 16.58 * slope));
      POSE lAnkle(0.2872 + slope * (1.139 + 1.288 * slope));
      POSE bElbow(-0.1811, 757.5, 59.17);
    ENDACTIONS
    TRANSITION to(5).after(time 0.06639 + slope * (-0.02781 - 1.508 * slope));
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE waist(0.7833 + slope * (0.658 + 12.66 * slope)),
          lTorso2uTorso(0.7802 + slope * (1.144 - 3.856 * slope));
      POSE bShoulder(-2.947 + slope * (0.9048 + 2.777 * slope));
      POSE bWrist(-1.54, 54.37, 7.359);
      POSE rHip(-1.705 + slope * (0.8769 + 8.441 * slope));
      POSE lHip(0.519 + slope * (0.04747 - 2.642 * slope));
      POSE rAnkle(0.9493 + slope * (-0.1005 - 15.01 * slope));
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.6);
  ENDPHASE
  PHASE 6  # kick up
    ACTIONS
      POSE waist(-0.006476 + slope * (0.5767 - 7.7 * slope)),
          lTorso2uTorso(-0.06054 + slope * (-1.031 - 15.11 * slope));
      POSE bShoulder(-3.03 + slope * (0.4262 + 14.58 * slope), 1613, 40.04);
      POSE bElbow(-0.02224, 2621, 60.99);
      POSE bWrist(-1.386, 115.8, 14.65);
      POSE rHip(-0.7294 + slope * (0.1539 - 28.84 * slope));
      POSE lHip(0.4103 + slope * (-0.4842 - 16.17 * slope), 253.9, 54.62);
      POSE rKnee(-0.03926 + slope * (0.8981 + 12.42 * slope));
      POSE lKnee(0.6589 + slope * (0.3759 + 5.903 * slope));
      POSE bAnkle(0.7859 + slope * (-0.3963 + 11.2 * slope));
    ENDACTIONS
    TRANSITION to(7).after(when com_x - x(rHand) > -0.09561 + slope * (0.07936 - 6.458 * slope));
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 7  # over the hands, arched, the arms push
    ACTIONS
      POSE waist(-0.2797 + slope * (0.5084 + 7.951 * slope), 603, 52.32),
          lTorso2uTorso(-0.3959 + slope * (0.9954 + 16.56 * slope), 986.4, 77.72);
      POSE bShoulder(-3.15 + slope * (-0.241 - 2.587 * slope), 1504, 26.85);
      POSE bElbow(0.05, 2639, 121.9);
      POSE bWrist(0.219, 183.7, 7.615);
      POSE bHip(0.4776 + slope * (0.8091 + 5.504 * slope), 466.7, 27.42);
      POSE bKnee(0.6483 - 1.175 * com_vx + slope * (-0.2754 + 9.765 * slope), 367.6, 13.6);
      POSE bAnkle(-0.5346 + slope * (0.9586 + 12.99 * slope));
    ENDACTIONS
    TRANSITION to(8).after(nocontact rHand and nocontact lHand and when com_x - x(rHand) > -0.01031);
    # a landing; during the first 0.15 s a foot can still touch the ground behind the hands
    TRANSITION to(10).after(time .15 and (contact rFoot or contact lFoot));
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 8  # the flight, arched
    ACTIONS
      POSE waist(-0.3419 + slope * (0.6398 + 7.664 * slope), 1275, 142.2),
          lTorso2uTorso(0.684 + slope * (0.7273 - 9.18 * slope), 750, 58);
      POSE bShoulder(-3.041 + slope * (0.0785 + 0.6471 * slope), 785.9, 27.78);
      POSE bElbow(-0.0526, 1849, 96.77);
      POSE bWrist(-0.3619, 86.3, 11.68);
      POSE bHip(0.4437 - 0.2318 * com_vx + 0.02438 * spin(uTorso) + 0.03352 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (0.9577 + 15.44 * slope), 566.7, 29.33);
      POSE bKnee(1.086 - 0.8298 * com_vx - 0.01022 * spin(uTorso) + 0.15 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (-1.897 - 5.229 * slope), 436.5, 22.68);
      POSE bAnkle(0.3291 + slope * (-0.987 - 13.14 * slope));
    ENDACTIONS
    TRANSITION to(9).after(when height(bFoot) < 0.336 and when com_vy < -0.2504);
    TRANSITION to(10).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 9  # the legs reach for the ground
    ACTIONS
      POSE bHip(0.4124 - 0.2916 * com_vx + 0.006383 * orientation(uTorso) - 0.008414 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (-1.587 - 38.99 * slope), 363.8, 20.46);
      POSE bKnee(1.084 - 0.07677 * com_vx - 0.1016 * orientation(uTorso) - 0.2963 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (0.0133 - 9.161 * slope), 210.7, 12.41);
      POSE bAnkle(0.3958 + slope * (0.01464 - 1.22 * slope));
      POSE bShoulder(-2.983, 322.7, 61.84);
    ENDACTIONS
    TRANSITION to(10).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1);
  ENDPHASE
  PHASE 10  # the trunk up over the feet
    ACTIONS
      POSE waist(0.2846 - 0.00539 * com_vx + 0.02687 * spin(uTorso) + 0.1314 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (0.1855 + 4.647 * slope), 1637, 53.26),
          lTorso2uTorso(0.06158 - 0.1378 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (-0.4611 - 9.796 * slope), 1454, 93.86);
      POSE bShoulder(-1.212 - 0.008903 * spin(uTorso) - 0.02165 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (-1.388 - 31.48 * slope), 409.7, 18.11);
      POSE bElbow(-0.1689);
      POSE bHip(-0.4753 - 0.01833 * com_vx + 0.01788 * spin(uTorso) - 0.0296 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (-0.3575 + 24.46 * slope), 290, 60.33);
      POSE bKnee(1.025 - 0.3367 * com_vx + 0.09697 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (0.1681 - 6.148 * slope), 104.1, 42.75);
      POSE bAnkle(-0.3389 + 0.1022 * com_vx + 0.07252 * (com_x - x(rFoot) + com_vx / 3.2) + slope * (-0.05698 - 15.8 * slope), 102.5, 26.7);
      VFFB uTorso(594.5, 232.6).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(11).after(time 0.3382 + slope * (-0.4574 - 12.06 * slope));
  ENDPHASE
  PHASE 11  # balance with half-bent knees
    > high_squat.t(0.5093);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(12).after(time 0.7813 and stable .5);
    TRANSITION to(12).after(time 1.523);
  ENDPHASE
  PHASE 12  # down to the squat
    > squat.t(1);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
