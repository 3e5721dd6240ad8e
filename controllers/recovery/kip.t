# A kip: from lying on the back, throws the legs up and over and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 340
SET TORQUELIMIT bShoulder = 102
SET TORQUELIMIT bElbow = 80
SET TORQUELIMIT bHip = 280
SET TORQUELIMIT bKnee = 263
SET TORQUELIMIT bAnkle = 195
BEGINSCRIPT kip(void)
  PHASE 0  # draw in the legs, hands beside the head
    ACTIONS
      POSE neck2head(-0.1005, 1066, 123.2), uTorso2neck(-0.1748, 945.7, 89.02);
      POSE lTorso2uTorso(-0.03303, 1061, 101.4),
          waist(0.02486 + slope(com_x) * (-0.6761 + 0.2351 * slope(com_x)), 932.4, 44.19);
      POSE bWrist(-1.543);
      LIPOSE bAnkle(0.2512 + slope(com_x) * (-0.05735 - 2.664 * slope(com_x))).time(0.8028);
      LIPOSE bKnee(2.728 + slope(com_x) * (0.05325 + 4.657 * slope(com_x))).time(0.4228);
      LIPOSE bHip(-1.473 + slope(com_x) * (0.02447 - 2.103 * slope(com_x))).time(0.1852);
      LIPOSE bShoulder(-2.2 + slope(com_x) * (0.1638 + 0.8634 * slope(com_x))).time(1.066);
      LIPOSE bElbow(-2.452).time(0.6023);
    ENDACTIONS
    TRANSITION to(1).after(time 0.6187);
  ENDPHASE
  PHASE 1  # throw the feet up
    ACTIONS
      POSE bKnee(0.3382 + slope(com_x) * (-0.0633 - 0.713 * slope(com_x)), 287.6, 44.22);
      POSE bHip(-1.861 + slope(com_x) * (-1.115 + 20.99 * slope(com_x)), 306.2, 44.65);
      VF (-9.548, 309.4, 76.73).on(bFoot).by(bHip);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3147 + 0.4357 * slope(com_x));
  ENDPHASE
  PHASE 2  # throw the legs over and push off with the hands
    ACTIONS
      POSE bAnkle(-0.7391 + slope(com_x) * (0.1484 - 3.975 * slope(com_x)), 287.2, 42.71);
      POSE bKnee(1.747 + slope(com_x) * (-0.4159 + 8.095 * slope(com_x)), 1480, 131.8);
      POSE bHip(0.5786 + slope(com_x) * (0.1655 + 0.8154 * slope(com_x)), 310.1, 45.88);
      VF (-33.13, -4064, -26.32).on(bHand).by(bShoulder);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
  ENDPHASE
  PHASE 3  # bring the trunk over the feet
    ACTIONS
      POSE waist(0.36 + slope(com_x) * (0.1985 - 1.552 * slope(com_x)), 664.8, 39.31);
      POSE bAnkle(-0.4607 + slope(com_x) * (-0.7332 + 8.673 * slope(com_x)), 573.4, 52.01);
      POSE bShoulder(-1.679 + slope(com_x) * (-0.2448 - 1.625 * slope(com_x)));
      POSE bElbow(-0.2783, 69.05, 31.27);
      POSE bWrist(-0.3651, 0.9925, 1.051);
      LIPOSE bHip(-0.8 + slope(com_x) * (0.1907 + 2.986 * slope(com_x)), 1143, 81.69).time(0.3474);
      VFFB uTorso(1854, 82.87).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.6819);
  ENDPHASE
  PHASE 4
    > squat.t(1.141);
    TRANSITION to(-1).after(fallen x 1.096);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
