# From sitting to lying on the back: the hands leave the ground and move forward, then the back rolls down.
BEGINSCRIPT lie_back(void)
  PHASE 0  # the hands up beside the chest, the trunk forward over the legs
    ACTIONS
      LIPOSE neck2head(.3, 60, 10).time(.4), uTorso2neck(.3, 60, 10).time(.4);
      LIPOSE waist(0.2933, 641.4, 56.13).time(0.6182), lTorso2uTorso(0.322, 819.7, 63.82).time(0.4749);
      LIPOSE bHip(-1.745, 301.6, 57.09).time(0.5427), bKnee(0.9461, 166.5, 31.18).time(0.6306),
          bAnkle(0.05488, 43.09, 10.64).time(0.4047);
      LIPOSE bElbow(-2.53, 100.9, 11.15).time(0.5057), bWrist(0.01134, 20.52, 3.207).time(0.317),
          bShoulder(0.2814, 54.53, 12.71).time(0.5452);
    ENDACTIONS
    TRANSITION to(1).after(time 0.6513);
  ENDPHASE
  PHASE 1  # the arms forward
    ACTIONS
      LIPOSE bShoulder(-1.204, 81.47, 13.44).time(0.5683), bElbow(-2.349, 55.43, 10.29).time(0.4433);
      LIPOSE bHip(-1.535, 373.6, 50.13).time(0.3929), bKnee(0.5741, 209.9, 29.87).time(0.6993);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4584);
  ENDPHASE
  PHASE 2  # down
    ACTIONS
      LIPOSE neck2head(.5, 100, 15).time(.4), uTorso2neck(.5, 100, 15).time(.4);
      LIPOSE bHip(-0.3569, 483.3, 54.33).time(1.65), bKnee(0.2985, 203, 27.27).time(1.333);
      LIPOSE waist(0.7276, 818.1, 63.11).time(0.7744), lTorso2uTorso(0.7203, 747.5, 63.12).time(0.8062);
      LIPOSE bShoulder(-1.311, 86.1, 14.14).time(0.584), bElbow(-0.2168, 61.83, 10.21).time(0.4958);
    ENDACTIONS
    TRANSITION to(3).after(time 1.939);
  ENDPHASE
  PHASE 3  # the back, the head and the legs down
    ACTIONS
      LIPOSE neck2head(0, 100, 20).time(1), uTorso2neck(0, 100, 20).time(1);
      LIPOSE waist(-0.02369, 667.4, 61.18).time(1.134), lTorso2uTorso(0.09025, 666.8, 55.07).time(1.12);
      LIPOSE bHip(-0.03156, 346.2, 44.95).time(1.034), bKnee(0.03731, 275.6, 39.83).time(0.7597);
      LIPOSE bShoulder(0.04536, 63.05, 14.89).time(1.149), bElbow(-0.04589, 56.71, 14.77).time(0.7834);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.487);
  ENDPHASE
ENDSCRIPT
