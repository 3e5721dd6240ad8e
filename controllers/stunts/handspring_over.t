# A forward handspring from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up and
# over, the arms push off, and both feet land in the squat after a flight.
SCRIPTS stand.t, simbicon.t, squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT handspring_over(void)
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
      POSE bShoulder(-1.5, 159.6, 32.81);
      POSE lKnee(-0.04936);
      POSE rKnee(0.538);
      POSE lHip(0.4258, 137.4, 35.87);
      POSE rHip(-1, 137.4, 35.87);
      POSE rAnkle(0.04908);
      POSE lAnkle(0.1485);
      POSE bElbow(-0.3196);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1419);
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(0.4261), lTorso2uTorso(0.8);
      POSE bShoulder(-1.952);
      POSE bWrist(-1.531);
      POSE lKnee(0.02531, 490.5, 33.62);
      POSE rKnee(0.1726);
      POSE rHip(-0.9619, 259, 15.01);
      POSE lHip(0.5062, 259, 15.01);
      POSE rAnkle(0.2528);
      POSE lAnkle(0.4354);
      POSE bElbow(-0.02805, 772.6, 54.18);
    ENDACTIONS
    TRANSITION to(5).after(time 0.1087);
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.483);
      POSE bWrist(-1.399, 85.48, 6.441);
      POSE rHip(-1.459);
      POSE lHip(0.405);
      POSE rAnkle(0.9278);
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.6);
  ENDPHASE
  PHASE 6  # kick up
    ACTIONS
      POSE bShoulder(-2.622, 1253, 90.56);
      POSE bElbow(-0.09351, 2788, 105);
      POSE bWrist(-1.316, 90.01, 21.81);
      POSE rHip(-1.283);
      POSE lHip(0.4698, 307, 66.26);
      POSE rKnee(0.1197);
      POSE lKnee(0.4016);
      POSE bAnkle(0.1103);
    ENDACTIONS
    TRANSITION to(7).after(when com_x - x(rHand) > -0.1661);
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 7  # over the hands, arched, the arms push
    ACTIONS
      POSE waist(-0.206, 838.8, 90.59), lTorso2uTorso(-0.2921, 1282, 73.79);
      POSE bShoulder(-3.15, 897.8, 56.58);
      POSE bElbow(-0.2435, 1840, 116.1);
      POSE bWrist(-0.08883, 84.42, 12.47);
      POSE bHip(0.4774, 399.4, 29.82);
      POSE bKnee(1.393 - 0.4187 * com_vx, 532.9, 17.75);
      POSE bAnkle(-0.2409);
    ENDACTIONS
    TRANSITION to(8).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 1.2);
  ENDPHASE
  PHASE 8  # the trunk up over the feet
    ACTIONS
      POSE waist(0.4589, 1061, 47.3), lTorso2uTorso(0.2798, 1091, 64.27);
      POSE bShoulder(-1.497, 326.5, 20.53);
      POSE bElbow(-0.2573);
      POSE bHip(-0.4959, 288.8, 55.42);
      POSE bKnee(1.344, 209, 41.59);
      POSE bAnkle(-0.4281, 491.7, 46.46);
      VFFB uTorso(557.7, 186.6).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(9).after(time 0.4374);
  ENDPHASE
  PHASE 9
    > squat.t(1.);
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
