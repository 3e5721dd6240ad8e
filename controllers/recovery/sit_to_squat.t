# From sitting to the squat: the heels to the seat and the hands behind it, then arms and trunk forward over the feet.
BEGINSCRIPT sit_to_squat(void)
  PHASE 0  # the feet to the seat, off the ground
    ACTIONS
      LIPOSE neck2head(0.2287, 50.72, 15.54).time(0.27), uTorso2neck(0.2355, 44.0, 12.08).time(0.3298);
      LIPOSE bHip(-2.077, 368.3, 51.16).time(0.4987), bKnee(2.726, 232.9, 31.71).time(0.5191), bAnkle(0.1498, 54.89, 9.303).time(0.2178);
      LIPOSE bShoulder(0.6318, 99.44, 21.48).time(0.4217), bElbow(0.2807, 61.81, 14.95).time(0.3431), bWrist(-0.7211, 20.71, 2.99).time(0.3492);
      LIPOSE waist(0.4271, 865.0, 61.69).time(0.5235), lTorso2uTorso(0.3447, 529.7, 76.73).time(0.4246);
    ENDACTIONS
    TRANSITION to(1).after(time 0.7552);
  ENDPHASE
  PHASE 1  # arms and trunk forward
    ACTIONS
      LIPOSE bShoulder(-0.7564, 252.1, 16.4).time(0.1895), bElbow(-0.08385, 135.1, 9.106).time(0.2741);
      LIPOSE waist(0.7649, 1170.0, 64.06).time(0.1446), lTorso2uTorso(0.6147, 956.8, 75.46).time(0.2124);
      LIPOSE bHip(-2.489, 1119.0, 54.5).time(0.2231), bKnee(2.766, 394.5, 29.36).time(0.1631), bAnkle(-0.6221, 164.6, 18.18).time(0.1945);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2482);
  ENDPHASE
  PHASE 2  # over the feet
    ACTIONS
      LIPOSE bHip(-2.197, 849.6, 41.13).time(0.2471), bKnee(2.201, 684.1, 31.79).time(0.311), bAnkle(-0.6547, 411.9, 26.28).time(0.1216);
      LIPOSE bElbow(-2.187, 84.9, 13.9).time(0.2855), bWrist(0.2322, 28.1, 5.708).time(0.1708);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2852);
  ENDPHASE
  PHASE 3  # the trunk up, the arms forward
    ACTIONS
      LIPOSE neck2head(0.08634, 122.6, 13.08).time(0.617), uTorso2neck(-0.01875, 87.53, 16.35).time(0.3999);
      LIPOSE waist(0.04333, 472.0, 40.8).time(1.104), lTorso2uTorso(0.1407, 639.7, 55.69).time(1.113);
      LIPOSE bHip(-1.842, 426.9, 38.04).time(0.9787), bKnee(1.989, 466.2, 63.81).time(0.8936), bAnkle(-0.4588, 289.4, 25.88).time(0.7555);
      LIPOSE bShoulder(-1.464, 80.05, 28.17).time(0.5463), bElbow(-0.07742, 64.36, 11.45).time(0.5577);
      VFFB uTorso(1797.0, 438.0).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.465);
  ENDPHASE
ENDSCRIPT
