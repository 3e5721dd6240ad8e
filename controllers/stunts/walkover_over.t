# A forward walkover from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up and
# over, the right one follows with the legs apart, the left foot lands while the hands leave the floor, the body rises over it, and the
# right foot moves beside it.
SCRIPTS stand.t, simbicon.t, feet_together.t, foot_beside.t;
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
      POSE bShoulder(-1.649, 151.6, 29.36);
      POSE lKnee(0.02347);
      POSE rKnee(0.5689);
      POSE lHip(0.4466, 120.0, 40.02);
      POSE rHip(-1.053, 126.0, 34.02);
      POSE rAnkle(0.07086);
      POSE lAnkle(0.1749);
      POSE bElbow(-0.2851);
    ENDACTIONS
    TRANSITION to(4).after(time 0.142);
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(0.3117), lTorso2uTorso(0.8);
      POSE bShoulder(-2.095);
      POSE bWrist(-1.579);
      POSE lKnee(0.08241, 433.6, 33.3);
      POSE rKnee(0.1278);
      POSE rHip(-1.015, 246.7, 16.29);
      POSE lHip(0.4807, 252.9, 13.45);
      POSE rAnkle(0.2364);
      POSE lAnkle(0.3636);
      POSE bElbow(-0.1386, 833.4, 51.84);
    ENDACTIONS
    TRANSITION to(5).after(time 0.1183);
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.607);
      POSE bWrist(-1.21, 76.31, 5.866);
      POSE rHip(-1.387);
      POSE lHip(0.4243);
      POSE rAnkle(0.8823);
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.614);
  ENDPHASE
  PHASE 6  # kick up
    ACTIONS
      POSE bShoulder(-2.631, 1279.0, 98.26);
      POSE bElbow(-0.04713, 2879.0, 102.8);
      POSE bWrist(-1.256, 87.93, 22.95);
      POSE waist(0.4183), lTorso2uTorso(0.2023);
      POSE rHip(-1.427);
      POSE lHip(0.5044, 335.0, 67.11);
      POSE rKnee(0.1374);
      POSE lKnee(0.1737);
      POSE bAnkle(0.1498);
    ENDACTIONS
    TRANSITION to(7).after(when com_x - x(rHand) > -0.06107);
    TRANSITION to(fail).after(time 1.219);
  ENDPHASE
  PHASE 7  # over the hands, the legs apart
    ACTIONS
      POSE waist(-0.2568, 588.5, 74.07), lTorso2uTorso(-0.1835, 662.0, 75.4);
      POSE bShoulder(-2.929, 888.4, 90.27);
      POSE bElbow(-0.0189, 1783.0, 106.9);
      POSE bWrist(-1.185, 89.6, 13.72);
      POSE rHip(-1.024, 251.0, 40.54), lHip(0.5191, 298.5, 39.18);
      POSE rKnee(0.1632), lKnee(0.8669);
      POSE bAnkle(-0.2799);
    ENDACTIONS
    TRANSITION to(9).after(contact lFoot);
    TRANSITION to(8).after(when com_x - x(rHand) > 0.1131);
    TRANSITION to(fail).after(time 1.368);
  ENDPHASE
  PHASE 8  # the left foot reaches for the ground close to the hands, the arms push
    ACTIONS
      POSE waist(-0.3704, 890.2, 84.88), lTorso2uTorso(-0.3994, 809.6, 83.19);
      POSE bShoulder(-3.139, 978.1, 58.38);
      POSE bElbow(-0.1211, 1926.0, 124.9);
      POSE bWrist(-0.5875, 79.16, 12.76);
      POSE rHip(-0.5948, 318.1, 47.36), lHip(0.5037, 591.3, 53.51);
      POSE rKnee(0.356), lKnee(1.433, 481.5, 32.72);
      POSE rAnkle(-0.1558), lAnkle(-0.4978, 289.1, 20.37);
    ENDACTIONS
    TRANSITION to(9).after(contact lFoot);
    TRANSITION to(fail).after(time 1.193);
  ENDPHASE
  PHASE 9  # the body comes down over the left foot, the right leg swings ahead
    ACTIONS
      POSE waist(0.2165, 1006.0, 61.88), lTorso2uTorso(0.2619, 1131.0, 58.82);
      POSE bShoulder(-1.41, 321.5, 21.87);
      POSE bElbow(-0.2014);
      POSE lHip(0.03678, 340.5, 60.26), rHip(-0.9261, 327.4, 26.0);
      POSE lKnee(1.463, 525.2, 47.94), rKnee(0.859);
      POSE lAnkle(-0.6274, 584.8, 39.85), rAnkle(-0.2464);
      VFFB uTorso(489.2, 163.3).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(11).after(contact rFoot and time 0.04206);
    TRANSITION to(10).after(time 0.12);
  ENDPHASE
  PHASE 10  # rise over the left foot; hips and trunk keep the body just ahead of it
    ACTIONS
      POSE waist(0.2165 + 8.379 * (com_x - x(lFoot) + com_vx / 4.6 - 0.07202), 1006.0, 61.88),
          lTorso2uTorso(0.2619 + 0.8084 * (com_x - x(lFoot) + com_vx / 4.6 - 0.07202), 1131.0, 58.82);
      POSE bShoulder(-1.41, 321.5, 21.87);
      POSE bElbow(-0.2014);
      POSE lHip(0.03678 - 7.55 * (com_x - x(lFoot) + com_vx / 4.6 - 0.07202), 340.5, 60.26),
          rHip(-0.8404 + 10.93 * (com_x - x(lFoot) + com_vx / 4.6 - 0.07202), 327.4, 26.0);
      POSE lKnee(1.463, 525.2, 47.94), rKnee(0.9689);
      POSE lAnkle(-0.6274, 584.8, 39.85), rAnkle(-0.2464);
      VFFB uTorso(489.2, 163.3).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(11).after(contact rFoot);
    TRANSITION to(11).after(time 0.4983);
  ENDPHASE
  PHASE 11  # both feet on the ground
    ACTIONS
      POSE waist(0.3806 - 1.478 * (com_x - x(lFoot) + com_vx / 3.7 - 0.03893), 977.6, 56.95),
          lTorso2uTorso(0.4991, 1176.0, 56.21);
      POSE bShoulder(-1.163, 275.5, 17.83);
      POSE rHip(-1.227 + 4.44 * (com_x - x(lFoot) + com_vx / 3.7 - 0.03893), 378.1, 47.68),
          lHip(-0.5694 + 0.7365 * (com_x - x(lFoot) + com_vx / 3.7 - 0.03893), 343.7, 49.19);
      POSE rKnee(1.625, 325.7, 42.22), lKnee(1.551, 395.6, 40.26);
      POSE rAnkle(-0.3989, 305.2, 43.1), lAnkle(-0.582, 345.8, 37.56);
      VFFB uTorso(666.7, 212.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.431);
    TRANSITION to(12).after(time 1.018);
  ENDPHASE
  PHASE 12  # rise on both
    ACTIONS
      LIPOSE waist(-0.03087, 756.6, 38.66).time(0.6597), lTorso2uTorso(0.003448, 642.4, 60.8).time(0.5824);
      LIPOSE bShoulder(-0.05285, 101.6, 16.2).time(0.6558), bElbow(0.006231, 94.65, 15.59).time(0.8022),
          bWrist(0.1303, 17.23, 3.462).time(0.445);
      LIPOSE rHip(-0.2867, 463.1, 58.44).time(0.8296), lHip(-0.0677, 546.3, 57.77).time(0.7685);
      LIPOSE rKnee(0.2967, 526.2, 49.2).time(0.6409), lKnee(0.1476, 486.3, 53.3).time(0.7014);
      LIPOSE rAnkle(0.005844, 294.3, 25.28).time(0.7312), lAnkle(-0.1839, 329.8, 30.21).time(0.6527);
      VFFB uTorso(1700.0, 439.3).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(14).after(when x(rFoot) - x(lFoot) > .06 and time 0.9344 and stable 0.5243);
    TRANSITION to(13).after(time 0.9344 and stable 0.5243);
    TRANSITION to(14).after(when x(rFoot) - x(lFoot) > .06 and time 2.068);
    TRANSITION to(13).after(time 2.068);
  ENDPHASE
  PHASE 13  # feet that are slightly apart
    > feet_together();
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(15).after(complete);
  ENDPHASE
  PHASE 14  # the body is over the left foot: the right one moves back beside it
    > foot_beside(.5, -.18, .38, .3, -.12, .2, 1, 1).mirrored;
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(15).after(complete);
  ENDPHASE
  PHASE 15
    > stand.t(.5, .5);
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
