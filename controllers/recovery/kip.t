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
      POSE lTorso2uTorso(-0.06763, 1145, 105.2),
          waist(0.02293 + slope(com_x) * (-0.6761 + 0.2351 * slope(com_x)), 898.1, 41.9);
      POSE bWrist(-1.553);
      LIPOSE bAnkle(0.2168 + slope(com_x) * (-0.05735 - 2.664 * slope(com_x))).time(0.8138);
      LIPOSE bKnee(2.694 + slope(com_x) * (0.05325 + 4.657 * slope(com_x))).time(0.4293);
      LIPOSE bHip(-1.469 + slope(com_x) * (0.02447 - 2.103 * slope(com_x))).time(0.1897);
      LIPOSE bShoulder(-2.191 + slope(com_x) * (0.1638 + 0.8634 * slope(com_x))).time(1.064);
      LIPOSE bElbow(-2.458).time(0.597);
    ENDACTIONS
    TRANSITION to(1).after(time 0.6169);
  ENDPHASE
  PHASE 1  # throw the feet up
    ACTIONS
      POSE bKnee(0.3262 + slope(com_x) * (-0.0633 - 0.713 * slope(com_x)), 227.7, 46);
      POSE bHip(-1.873 + slope(com_x) * (-1.115 + 20.99 * slope(com_x)), 316.5, 43.44);
      VF (-0.04869, 311.9, 77.3).on(bFoot).by(bHip);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3168 + 0.4357 * slope(com_x));
  ENDPHASE
  PHASE 2  # throw the legs over and push off with the hands
    ACTIONS
      POSE bAnkle(-0.7237 + slope(com_x) * (0.1484 - 3.975 * slope(com_x)), 248.4, 46.17);
      POSE bKnee(1.76 + slope(com_x) * (-0.4159 + 8.095 * slope(com_x)), 1601, 128.8);
      POSE bHip(0.5953 + slope(com_x) * (0.1655 + 0.8154 * slope(com_x)), 308.5, 43.09);
      VF (-40.84, -4063, -32.57).on(bHand).by(bShoulder);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
  ENDPHASE
  PHASE 3  # bring the trunk over the feet
    ACTIONS
      POSE waist(0.3341 + slope(com_x) * (0.1985 - 1.552 * slope(com_x)), 680, 40.24);
      POSE bAnkle(-0.4709 + slope(com_x) * (-0.7332 + 8.673 * slope(com_x)), 499.5, 50.31);
      POSE bShoulder(-1.648 + slope(com_x) * (-0.2448 - 1.625 * slope(com_x)));
      POSE bElbow(-0.3, 71.08, 29.54);
      POSE bWrist(-0.3739, 0.9431, 1.107);
      LIPOSE bHip(-0.7734 + slope(com_x) * (0.1907 + 2.986 * slope(com_x)), 1043, 81.54).time(0.3435);
      VFFB uTorso(1631, 90.82).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.6869);
  ENDPHASE
  PHASE 4
    > squat.t(1.141);
    TRANSITION to(-1).after(fallen x 1.096);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
