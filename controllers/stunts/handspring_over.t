# A forward handspring from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up and
# over straight arms, the arms push off, and after an arched flight both feet land with half-bent knees; then down to the squat.
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
    > simbicon.t(0.3044, -0.05244, -2.502, -0.1877, 0.008511, 0.03814, -0.4483, 0.7716, 1.005, 0.1552, 0.03226, 0.07807,
        -0.2837);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3  # a lunge on the right leg
    ACTIONS
      POSE bShoulder(-1.366 + slope * (-0.3558 - 4.923 * slope), 62.9, 36.94);
      POSE lKnee(-0.05 + slope * (-0.8058 - 35.29 * slope));
      POSE rKnee(0.511 + slope * (-0.0582 + 7.425 * slope));
      POSE lHip(0.52 + slope * (0.5221 + 17.65 * slope), 55.14, 48.96);
      POSE rHip(-1.299 + slope * (3.295 - 3.887 * slope), 223.1, 56.84);
      POSE rAnkle(0.3639 + slope * (0.09425 - 14.05 * slope));
      POSE lAnkle(-0.05786 + slope * (0.5838 + 13.95 * slope));
      POSE bElbow(0.05);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1404 + slope * (2.862 + 33.98 * slope));
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(0.7222 + slope * (1.765 - 22.11 * slope)),
          lTorso2uTorso(0.799 + slope * (-1.038 - 21.14 * slope));
      POSE bShoulder(-2.023 + slope * (0.9753 - 25.26 * slope));
      POSE bWrist(-1.499);
      POSE lKnee(0.6506 + slope * (-0.4494 - 48.62 * slope), 513.3, 29.61);
      POSE rKnee(0.1493 + slope * (-0.3641 + 26.38 * slope));
      POSE rHip(-1.73 + slope * (0.3778 - 13.38 * slope), 232.3, 17.22);
      POSE lHip(0.5036 + slope * (2.773 - 9.3 * slope), 276.5, 14.21);
      POSE rAnkle(-0.00875 + slope * (-0.4936 + 37.4 * slope));
      POSE lAnkle(0.2075 + slope * (-0.9532 - 25.85 * slope));
      POSE bElbow(0.05, 769.4, 63.36);
    ENDACTIONS
    TRANSITION to(5).after(time 0.06809 + slope * (1.764 + 14.44 * slope));
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.421 + slope * (-1.402 - 12.88 * slope));
      POSE bWrist(-0.6909, 60.82, 6.869);
      POSE rHip(-1.839 + slope * (0.05666 + 17.27 * slope));
      POSE lHip(0.52 + slope * (-1.61 - 19.53 * slope));
      POSE rAnkle(0.8243 + slope * (0.1724 + 4.747 * slope));
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.6 + slope * (-0.312 - 5.05 * slope));
  ENDPHASE
  PHASE 6  # kick up
    ACTIONS
      POSE bShoulder(-2.925 + slope * (0.09058 + 8.607 * slope), 1963, 52.91);
      POSE bElbow(-0.7225, 2767, 45.19);
      POSE bWrist(-1.213, 82.22, 24.49);
      POSE rHip(-1.47 + slope * (0.9054 + 44.51 * slope));
      POSE lHip(0.4057 + slope * (2.795 - 35.65 * slope), 295.2, 58.42);
      POSE rKnee(-0.0309 + slope * (3.939 + 8.53 * slope));
      POSE lKnee(0.6122 + slope * (-0.3353 - 16.73 * slope));
      POSE bAnkle(-0.07968 + slope * (1.275 + 15.17 * slope));
    ENDACTIONS
    TRANSITION to(7).after(when com_x - x(rHand) > -0.09235 + slope * (-0.848 - 32.28 * slope));
    TRANSITION to(fail).after(time 1.2 + slope * (-0.292 - 14.6 * slope));
  ENDPHASE
  PHASE 7  # over the hands, arched, the arms push
    ACTIONS
      POSE waist(-0.4 + slope * (0.6262 - 30.17 * slope), 475.4, 90),
          lTorso2uTorso(-0.3948 + slope * (1.16 + 4.914 * slope), 848.4, 99.27);
      POSE bShoulder(-3.15 + slope * (2.24 - 11.71 * slope), 1517, 29.95);
      POSE bElbow(-0.007193, 2076, 226.7);
      POSE bWrist(-0.0291, 126.1, 10.4);
      POSE bHip(0.4381 + slope * (-0.1424 + 11.71 * slope), 545.9, 33.11);
      POSE bKnee(0.9053 - 1.196 * com_vx + slope * (-7.988 + 0.1481 * slope), 512.8, 14.5);
      POSE bAnkle(-0.4555 + slope * (-0.04395 + 27.64 * slope));
    ENDACTIONS
    TRANSITION to(8).after(nocontact rHand and nocontact lHand and when com_x - x(rHand) > 0.06227);
    TRANSITION to(10).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1.2 + slope * (-0.122 + 0.0914 * slope));
  ENDPHASE
  PHASE 8  # the flight, arched
    ACTIONS
      POSE waist(-0.3792 + slope * (-0.5786 - 20.81 * slope), 1416, 113.3),
          lTorso2uTorso(0.1316 + slope * (1.518 - 6.641 * slope), 607.5, 61.75);
      POSE bShoulder(-3.082 + slope * (0.8821 - 23.92 * slope), 886.2, 44.68);
      POSE bElbow(-0.05655, 1966, 106.1);
      POSE bWrist(-0.1612, 84.74, 17.29);
      POSE bHip(0.5164 + slope * (-0.4321 + 37.94 * slope), 635.8, 35.35);
      POSE bKnee(1.105 - 0.5338 * com_vx + slope * (13.11 - 1.558 * slope), 424.3, 23.69);
      POSE bAnkle(0.497 + slope * (-0.6601 - 24.97 * slope));
    ENDACTIONS
    TRANSITION to(9).after(when height(bFoot) < 0.353 and when com_vy < -0.2581);
    TRANSITION to(10).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1.2 + slope * (-0.122 + 0.0914 * slope));
  ENDPHASE
  PHASE 9  # the legs reach for the ground
    ACTIONS
      POSE bHip(0.4727 + slope * (0.1023 + 31.37 * slope), 300.4, 29.25);
      POSE bKnee(1.14 + slope * (-0.79 + 12.77 * slope), 378.3, 12.21);
      POSE bAnkle(0.1821 + slope * (-0.991 + 6.96 * slope));
      POSE bShoulder(-3.081, 384.9, 59.27);
    ENDACTIONS
    TRANSITION to(10).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1);
  ENDPHASE
  PHASE 10  # the trunk up over the feet
    ACTIONS
      POSE waist(0.3599 + slope * (1.319 - 62.91 * slope), 1275, 65.33),
          lTorso2uTorso(0.2175 + slope * (-2.611 + 5.708 * slope), 1253, 77.67);
      POSE bShoulder(-1.138 + slope * (1.919 + 28.33 * slope), 427.1, 23.08);
      POSE bElbow(-0.4085);
      POSE bHip(-0.4158 + slope * (0.2867 + 30.6 * slope), 243.1, 63.78);
      POSE bKnee(0.8528 + slope * (-0.6547 - 30.31 * slope), 108.1, 37.46);
      POSE bAnkle(-0.08262 + slope * (0.4441 - 16.29 * slope), 132.8, 23.69);
      VFFB uTorso(564.8, 202.3).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(11).after(time 0.3863 + slope * (0.0724 + 7 * slope));
  ENDPHASE
  PHASE 11  # balance with half-bent knees
    > high_squat.t(0.5093);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(12).after(time 0.7029 and stable .5);
    TRANSITION to(12).after(time 1.523);
  ENDPHASE
  PHASE 12  # down to the squat
    > squat.t(1);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
