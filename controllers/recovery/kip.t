# A kip: from lying on the back, throws the legs up and over and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT kip(void)
  PHASE 0  # draw in the legs, hands beside the head
    ACTIONS
      POSE neck2head(-0.05371, 1019, 115.1), uTorso2neck(-0.07735, 974.3, 77.37);
      POSE lTorso2uTorso(-0.02253, 1136, 110.8),
          waist(0.0108 + slope(com_x) * (-0.315 + 0.249 * slope(com_x)), 976.6, 46.78);
      POSE bWrist(-1.52);
      LIPOSE bAnkle(0.2186 + slope(com_x) * (-0.394 - 1.45 * slope(com_x))).time(0.8281);
      LIPOSE bKnee(2.75 + slope(com_x) * (0.0241 + 5.07 * slope(com_x))).time(0.4464);
      LIPOSE bHip(-1.491 + slope(com_x) * (0.0381 - 2.31 * slope(com_x))).time(0.182);
      LIPOSE bShoulder(-2.238 + slope(com_x) * (0.012 - 0.468 * slope(com_x))).time(1.027);
      LIPOSE bElbow(-2.488).time(0.7061);
    ENDACTIONS
    TRANSITION to(1).after(time 0.5712);
  ENDPHASE
  PHASE 1  # throw the feet up
    ACTIONS
      POSE bKnee(0.2745 + slope(com_x) * (-0.117 - 2.34 * slope(com_x)), 300, 45);
      POSE bHip(-1.943 + slope(com_x) * (-0.767 + 19.9 * slope(com_x)), 300, 45);
      VF (-3.928, 315.3, 82.75).on(bFoot).by(bHip);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3049 + 0.4 * slope(com_x));
  ENDPHASE
  PHASE 2  # throw the legs over and push off with the hands
    ACTIONS
      POSE bAnkle(-0.75 + slope(com_x) * (0.124 - 1.14 * slope(com_x)), 330, 40);
      POSE bKnee(1.613 + slope(com_x) * (-0.44 + 1.06 * slope(com_x)), 1536, 135.8);
      POSE bHip(0.52 + slope(com_x) * (0.144 - 4.56 * slope(com_x)), 330, 45);
      VF (-20.15, -4096, -8.549).on(bHand).by(bShoulder);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
  ENDPHASE
  PHASE 3  # bring the trunk over the feet
    ACTIONS
      POSE waist(0.3895 + slope(com_x) * (-0.0798 - 1.45 * slope(com_x)), 788.9, 38.88);
      POSE bAnkle(-0.4865 + slope(com_x) * (-0.17 + 5.93 * slope(com_x)), 540.3, 58.03);
      POSE bShoulder(-1.622 + slope(com_x) * (-0.355 - 1.88 * slope(com_x)));
      POSE bElbow(-0.1951, 67.49, 34);
      POSE bWrist(-0.2753, 1, 1);
      LIPOSE bHip(-0.9 + slope(com_x) * (-0.247 + 3.1 * slope(com_x)), 1180, 88.23).time(0.3459);
      VFFB uTorso(1875, 81.97).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.6904);
  ENDPHASE
  PHASE 4
    > squat.t(1.102);
    TRANSITION to(-1).after(fallen x 1.096);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
