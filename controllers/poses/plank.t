# From the belly into the plank: the toes tucked, the body straight on hands and toes, held.
# Argument: hold, how long (s).
BEGINSCRIPT plank(hold)
  PHASE 0  # tuck the toes
    ACTIONS
      LIPOSE neck2head(-.1, 60, 10).time(.3), uTorso2neck(-.1, 60, 10).time(.3);
      LIPOSE waist(.05, 900, 80).time(.4), lTorso2uTorso(.05, 900, 80).time(.4);
      LIPOSE bHip(-.25, 600, 60).time(.4);
      LIPOSE bKnee(.45, 400, 50).time(.3);
      LIPOSE bAnkle(-.6, 100, 15).time(.4);
      LIPOSE bWrist(-1.5, 30, 6).time(.3);
    ENDACTIONS
    TRANSITION to(1).after(time .5);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bHip(-.1, 700, 70).time(.9);
      LIPOSE bKnee(0, 500, 50).time(.5);
      LIPOSE bAnkle(-.3, 120, 15).time(.6);
      LIPOSE bShoulder(-1.25, 500, 60).time(.9), bElbow(-.1, 400, 50).time(.9), bWrist(-1.3, 30, 6).time(.9);
    ENDACTIONS
    TRANSITION to(2).after(time 1.2);
  ENDPHASE
  PHASE 2
    TRANSITION to(-1).after(time hold);
  ENDPHASE
ENDSCRIPT
