# From sitting to the squat: the heels to the seat and the hands behind it, then arms and trunk forward over the feet.
BEGINSCRIPT sit_to_squat(void)
  PHASE 0  # the feet to the seat, off the ground
    ACTIONS
      LIPOSE neck2head(.2, 60, 10).time(.3), uTorso2neck(.2, 60, 10).time(.3);
      LIPOSE bHip(-2.2, 400, 50).time(.4), bKnee(2.6, 250, 30).time(.5), bAnkle(0, 60, 10).time(.2);
      LIPOSE bShoulder(.5, 120, 16).time(.4), bElbow(-.1, 60, 12).time(.3), bWrist(-.8, 20, 3).time(.3);
      LIPOSE waist(.2, 800, 60).time(.5), lTorso2uTorso(.2, 800, 60).time(.5);
    ENDACTIONS
    TRANSITION to(1).after(time .6);
  ENDPHASE
  PHASE 1  # arms and trunk forward
    ACTIONS
      LIPOSE bShoulder(-1, 200, 20).time(.2), bElbow(-.1, 80, 12).time(.3);
      LIPOSE waist(.75, 900, 60).time(.2), lTorso2uTorso(.75, 900, 60).time(.2);
      LIPOSE bHip(-2.4, 900, 50).time(.2), bKnee(2.6, 400, 30).time(.2), bAnkle(-.7, 200, 15).time(.2);
    ENDACTIONS
    TRANSITION to(2).after(time .3);
  ENDPHASE
  PHASE 2  # over the feet
    ACTIONS
      LIPOSE bHip(-2.2, 700, 40).time(.3), bKnee(2.3, 600, 30).time(.3), bAnkle(-.7, 400, 25).time(.1);
      LIPOSE bElbow(-2, 80, 12).time(.3), bWrist(0, 20, 3).time(.2);
    ENDACTIONS
    TRANSITION to(3).after(time .3);
  ENDPHASE
  PHASE 3  # the trunk up, the arms forward
    ACTIONS
      LIPOSE neck2head(0, 100, 15).time(.5), uTorso2neck(0, 100, 15).time(.5);
      LIPOSE waist(.1, 700, 60).time(1.2), lTorso2uTorso(.1, 700, 60).time(1.2);
      LIPOSE bHip(-2, 400, 50).time(1.2), bKnee(2.3, 400, 50).time(1), bAnkle(-.65, 300, 30).time(1);
      LIPOSE bShoulder(-1.6, 100, 20).time(.5), bElbow(-.1, 60, 12).time(.7);
      VFFB uTorso(1900, 400).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.5);
  ENDPHASE
ENDSCRIPT
