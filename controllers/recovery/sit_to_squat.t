# From sitting to the squat: the hands behind the seat and the heels to it, then arms and trunk forward over the feet.
BEGINSCRIPT sit_to_squat(void)
  PHASE 0
    TRANSITION to(3).after(when x(rHand) < x(pelvis));
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # hands that are in front go behind the seat, the elbows bent so that they pass above the ground
    ACTIONS
      LIPOSE neck2head(0.2, 60, 10).time(0.3), uTorso2neck(0.2, 60, 10).time(0.3);
      LIPOSE bHip(-1.75 + slope(com_x) * (-1.48 - 6.51 * slope(com_x)), 300, 50).time(0.5), bKnee(1.1, 150, 30).time(0.5),
          bAnkle(0.1, 40, 10).time(0.5);
      LIPOSE waist(0.3 + 0.8 * slope(com_x), 600, 60).time(0.3), lTorso2uTorso(0.3 + 0.8 * slope(com_x), 600, 60).time(0.3);
      LIPOSE bShoulder(0.95, 100, 12).time(0.5), bElbow(-2.2, 80, 10).time(0.25), bWrist(-0.78, 20, 3).time(0.3);
    ENDACTIONS
    TRANSITION to(2).after(time 0.55);
  ENDPHASE
  PHASE 2  # the hands to the ground
    ACTIONS
      LIPOSE bShoulder(0.8, 100, 20).time(0.4), bElbow(-0.03, 62, 15).time(0.35);
    ENDACTIONS
    TRANSITION to(3).after(time 0.5);
  ENDPHASE
  PHASE 3  # the heels slide to the seat
    ACTIONS
      LIPOSE neck2head(0.3489, 50.72, 15.54).time(0.202), uTorso2neck(0.4288, 44.0, 12.08).time(0.4384);
      LIPOSE bHip(-2.39, 450, 45).time(0.2247), bKnee(2.734, 232.9, 31.71).time(0.7435), bAnkle(0.2858, 54.89, 9.303).time(0.2694);
      LIPOSE bShoulder(0.67, 99.44, 21.48).time(0.3309), bElbow(-0.0305, 61.81, 14.95).time(0.3925),
          bWrist(-0.7809, 20.71, 2.99).time(0.384);
      LIPOSE waist(0.1726 + slope(com_x) * (1.1 + 10.4 * slope(com_x)), 865.0, 61.69).time(0.546),
          lTorso2uTorso(0.3788 + slope(com_x) * (1.1 + 10.4 * slope(com_x)), 529.7, 76.73).time(0.302);
    ENDACTIONS
    TRANSITION to(4).after(time 0.9023);
  ENDPHASE
  PHASE 4  # arms and trunk forward
    ACTIONS
      LIPOSE bShoulder(-0.5944 + slope(com_x) * (-1.1 - 10.4 * slope(com_x)), 252.1, 16.4).time(0.1962),
          bElbow(-0.3205, 135.1, 9.106).time(0.2554);
      LIPOSE waist(0.7998, 1170.0, 64.06).time(0.1286),
          lTorso2uTorso(0.187 + slope(com_x) * (1.1 + 10.4 * slope(com_x)), 956.8, 75.46).time(0.2394);
      LIPOSE bHip(-2.294, 1119.0, 54.5).time(0.2307), bKnee(2.636, 394.5, 29.36).time(0.144), bAnkle(-0.5166, 164.6, 18.18).time(0.1739);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2758);
  ENDPHASE
  PHASE 5  # over the feet
    ACTIONS
      LIPOSE bHip(-1.991 + slope(com_x) * (-0.275 - 2.6 * slope(com_x)), 849.6, 41.13).time(0.2495),
          bKnee(2.111 + slope(com_x) * (-0.275 - 2.6 * slope(com_x)), 684.1, 31.79).time(0.2782),
          bAnkle(-0.5427 + slope(com_x) * (-0.55 - 5.2 * slope(com_x)), 411.9, 26.28).time(0.1051);
      LIPOSE bElbow(-2.034, 84.9, 13.9).time(0.3258), bWrist(0.04678, 28.1, 5.708).time(0.1685);
    ENDACTIONS
    TRANSITION to(6).after(time 0.2753);
  ENDPHASE
  PHASE 6  # the trunk up, the arms forward
    ACTIONS
      LIPOSE neck2head(0.06087, 122.6, 13.08).time(0.6322), uTorso2neck(-0.03033, 87.53, 16.35).time(0.3849);
      LIPOSE waist(-0.03834, 472.0, 40.8).time(1.029), lTorso2uTorso(0.1981, 639.7, 55.69).time(1.058);
      LIPOSE bHip(-1.644 + slope(com_x) * (0.55 + 5.2 * slope(com_x)), 426.9, 38.04).time(1.521),
          bKnee(1.96 + slope(com_x) * (-0.055 - 0.52 * slope(com_x)), 466.2, 63.81).time(0.9381),
          bAnkle(-0.5378 + slope(com_x) * (-0.55 - 5.2 * slope(com_x)), 289.4, 25.88).time(0.8317);
      LIPOSE bShoulder(-1.388, 80.05, 28.17).time(0.5107), bElbow(-0.1404, 64.36, 11.45).time(0.5486);
      VFFB uTorso(1797.0, 438.0).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 2.002);
  ENDPHASE
ENDSCRIPT
