# From sitting to lying on the back: the hands leave the ground and move forward, then the trunk leans back and rolls down.
BEGINSCRIPT lie_back(void)
  PHASE 0  # the hands up beside the chest
    ACTIONS
      LIPOSE neck2head(0.07233, 60, 10).time(0.5329), uTorso2neck(0.1844, 60, 10).time(0.4884);
      LIPOSE waist(0.2859, 260.3, 78.22).time(0.4587), lTorso2uTorso(0.1331, 930.6, 75.79).time(0.4131);
      LIPOSE bHip(-1.651, 303.9, 86.19).time(0.5219), bKnee(0.9385, 63.93, 34.4).time(0.518),
          bAnkle(-0.179, 48.75, 12.19).time(0.435);
      LIPOSE bElbow(-2.193, 84.03, 10.71).time(0.404), bWrist(-0.1426, 24.69, 3.506).time(0.5838),
          bShoulder(0.4928, 41.24, 11.22).time(0.5816);
    ENDACTIONS
    TRANSITION to(1).after(time 0.6418);
  ENDPHASE
  PHASE 1  # the arms forward
    ACTIONS
      LIPOSE bShoulder(-1.012, 100.8, 9.136).time(0.783), bElbow(-2.086, 47.49, 7.036).time(0.3073);
      LIPOSE bHip(-1.311, 417.4, 59.65).time(0.3678), bKnee(0.812, 200.3, 36.32).time(1.125);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1253);
  ENDPHASE
  PHASE 2  # the trunk leans back, the knees straighten
    ACTIONS
      LIPOSE neck2head(0.1665, 100, 15).time(0.4743), uTorso2neck(0.2334, 100, 15).time(0.1234);
      LIPOSE bHip(-0.2741, 332, 111.9).time(1.678), bKnee(0.2991, 203, 32.24).time(1.785);
      LIPOSE waist(0.2552, 1231, 49.51).time(0.871), lTorso2uTorso(0.3185, 634.3, 67.79).time(0.8306);
      LIPOSE bShoulder(-0.8744, 70.37, 16.8).time(0.663), bElbow(-0.3585, 62.62, 6.473).time(0.4959);
    ENDACTIONS
    TRANSITION to(3).after(time 2.471);
  ENDPHASE
  PHASE 3  # the back, the head and the legs down
    ACTIONS
      LIPOSE neck2head(0, 100, 20).time(1), uTorso2neck(0, 100, 20).time(1);
      LIPOSE waist(-0.1051, 480.9, 72.22).time(1.134), lTorso2uTorso(-0.09795, 924.1, 98.29).time(0.8262);
      LIPOSE bHip(-0.004393, 320.2, 15.9).time(1.84), bKnee(0.0568, 180.7, 24.12).time(0.5296);
      LIPOSE bShoulder(-0.04674, 97.18, 8.668).time(1.141), bElbow(-0.004062, 51.33, 29.27).time(0.8554);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.9237);
  ENDPHASE
ENDSCRIPT
