# From sitting to the squat: the heels to the seat and the hands behind it, then arms and trunk forward over the feet.
BEGINSCRIPT sit_to_squat(void)
  PHASE 0  # the feet to the seat, off the ground
    ACTIONS
      LIPOSE neck2head(0.326, 50.72, 15.54).time(0.2489), uTorso2neck(0.3761, 44.0, 12.08).time(0.4317);
      LIPOSE bHip(-2.398, 450, 45).time(0.2223), bKnee(2.717, 232.9, 31.71).time(0.822), bAnkle(0.172, 54.89, 9.303).time(0.2678);
      LIPOSE bShoulder(0.6333, 99.44, 21.48).time(0.3325), bElbow(0.0, 61.81, 14.95).time(0.3862), bWrist(-0.7399, 20.71, 2.99).time(0.3701);
      LIPOSE waist(0.2063, 865.0, 61.69).time(0.5737), lTorso2uTorso(0.3739, 529.7, 76.73).time(0.324);
    ENDACTIONS
    TRANSITION to(1).after(time 0.8297);
  ENDPHASE
  PHASE 1  # arms and trunk forward
    ACTIONS
      LIPOSE bShoulder(-0.6269, 252.1, 16.4).time(0.1958), bElbow(-0.2578, 135.1, 9.106).time(0.2718);
      LIPOSE waist(0.7557, 1170.0, 64.06).time(0.127), lTorso2uTorso(0.2602, 956.8, 75.46).time(0.2256);
      LIPOSE bHip(-2.39, 1119.0, 54.5).time(0.2164), bKnee(2.72, 394.5, 29.36).time(0.1544), bAnkle(-0.5081, 164.6, 18.18).time(0.1887);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2732);
  ENDPHASE
  PHASE 2  # over the feet
    ACTIONS
      LIPOSE bHip(-2.028, 849.6, 41.13).time(0.2626), bKnee(2.186, 684.1, 31.79).time(0.2928), bAnkle(-0.572, 411.9, 26.28).time(0.1059);
      LIPOSE bElbow(-2.138, 84.9, 13.9).time(0.3435), bWrist(0.07296, 28.1, 5.708).time(0.1802);
    ENDACTIONS
    TRANSITION to(3).after(time 0.268);
  ENDPHASE
  PHASE 3  # the trunk up, the arms forward
    ACTIONS
      LIPOSE neck2head(0.08634, 122.6, 13.08).time(0.617), uTorso2neck(-0.01875, 87.53, 16.35).time(0.3999);
      LIPOSE waist(0.04333, 472.0, 40.8).time(1.104), lTorso2uTorso(0.1407, 639.7, 55.69).time(1.113);
      LIPOSE bHip(-1.65, 426.9, 38.04).time(1.4), bKnee(2.05, 466.2, 63.81).time(0.9), bAnkle(-0.52, 289.4, 25.88).time(0.8);
      LIPOSE bShoulder(-1.464, 80.05, 28.17).time(0.5463), bElbow(-0.07742, 64.36, 11.45).time(0.5577);
      VFFB uTorso(1797.0, 438.0).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.8);
  ENDPHASE
ENDSCRIPT
