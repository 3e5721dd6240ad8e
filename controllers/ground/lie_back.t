# From sitting down onto the back: the hands come forward, then the back is rolled down with the chin in.
BEGINSCRIPT lie_back(void)
  PHASE 0  # the trunk forward over the legs, the hands come off the ground
    ACTIONS
      LIPOSE neck2head(.3, 60, 10).time(.4), uTorso2neck(.3, 60, 10).time(.4);
      LIPOSE waist(0.3278, 827.7, 58.37).time(0.4461), lTorso2uTorso(0.2946, 850.9, 68.61).time(0.3743);
      LIPOSE bHip(-1.906, 430.3, 50.97).time(0.4252), bKnee(0.994, 223.5, 31.34).time(0.4074),
          bAnkle(0.08106, 40.26, 9.502).time(0.4045);
      LIPOSE bElbow(-1.834, 80.34, 10.04).time(0.3009), bWrist(0.5437, 17.24, 3.387).time(0.2754);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3719);
  ENDPHASE
  PHASE 1  # the arms forward
    ACTIONS
      LIPOSE bShoulder(-1.356, 84.16, 16.94).time(0.4114), bElbow(-0.355, 55.06, 10.44).time(0.4467),
          bWrist(-0.0195, 10.36, 2.979).time(0.3356);
      LIPOSE bHip(-1.552, 376, 53.73).time(0.5144), bKnee(0.7096, 203.8, 29.19).time(0.4967);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5765);
  ENDPHASE
  PHASE 2  # down
    ACTIONS
      LIPOSE neck2head(.5, 100, 15).time(.4), uTorso2neck(.5, 100, 15).time(.4);
      LIPOSE bHip(-0.2926, 493.4, 56.15).time(1.206), bKnee(0.4221, 208.7, 30.67).time(0.8735);
      LIPOSE waist(0.598, 789.5, 58.66).time(0.6497), lTorso2uTorso(0.5926, 750.3, 65.96).time(0.5711);
    ENDACTIONS
    TRANSITION to(3).after(time 1.268);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE neck2head(0, 100, 20).time(.7), uTorso2neck(0, 100, 20).time(.7);
      LIPOSE waist(-0.005991, 694.8, 53.76).time(0.7223), lTorso2uTorso(-0.05576, 634.9, 63.85).time(0.6503);
      LIPOSE bHip(-0.05548, 289.7, 48.97).time(0.7333), bKnee(0.01491, 307.4, 41.86).time(0.7247);
      LIPOSE bShoulder(0.03691, 60.94, 14.28).time(0.7086), bElbow(0.05, 57.79, 15.5).time(0.4988);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.9815);
  ENDPHASE
ENDSCRIPT
