# Lies down on the back, or relaxes there after a fall: chin to the chest, limbs straight, until at rest.
BEGINSCRIPT supine(void)
  PHASE 3  # already lying on the back: soon at rest
    TRANSITION to(4).after(anglerange -1.9 -1.2 and when com_height < .2 and when angle(bHip) > -.5);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 0  # round the back and tuck the chin, so that the back lands softly
    ACTIONS
      POSE neck2head(0.55, 200, 30), uTorso2neck(0.55, 200, 30);
      LIPOSE waist(.5, 300, 60).time(.4), lTorso2uTorso(.5, 300, 60).time(.4);
      LIPOSE bHip(-1.5, 150, 40).time(.4);
      LIPOSE bKnee(1.8, 150, 40).time(.4);
      LIPOSE bAnkle(0, 100, 20).time(.4);
      LIPOSE bShoulder(-.8, 100, 20).time(.4);
      LIPOSE bElbow(-.4, 60, 15).time(.4);
      LIPOSE bWrist(0, 20, 4).time(.4);
    ENDACTIONS
    TRANSITION to(1).after(time 1.2);
  ENDPHASE
  PHASE 4  # only stretch out
    ACTIONS
      LIPOSE neck2head(0, 200, 30).time(1), uTorso2neck(0, 200, 30).time(1);
      LIPOSE waist(-.01, 600, 60).time(1), lTorso2uTorso(-.014, 600, 60).time(1);
      LIPOSE bHip(0, 300, 45).time(1);
      LIPOSE bKnee(0, 300, 45).time(1);
      LIPOSE bAnkle(0, 100, 20).time(1);
      LIPOSE bShoulder(0, 100, 20).time(1);
      LIPOSE bElbow(0, 100, 20).time(1);
      LIPOSE bWrist(0, 20, 4).time(1);
    ENDACTIONS
    TRANSITION to(2).after(time 1.5);
  ENDPHASE
  PHASE 1  # stretch out
    ACTIONS
      LIPOSE neck2head(0, 200, 30).time(1), uTorso2neck(0, 200, 30).time(1);
      LIPOSE waist(0, 600, 60).time(1), lTorso2uTorso(0, 600, 60).time(1);
      LIPOSE bHip(0, 300, 45).time(1);
      LIPOSE bKnee(0, 300, 45).time(1);
      LIPOSE bAnkle(0, 100, 20).time(1);
      LIPOSE bShoulder(0, 100, 20).time(1);
      LIPOSE bElbow(0, 100, 20).time(1);
      LIPOSE bWrist(0, 20, 4).time(1);
    ENDACTIONS
    TRANSITION to(2).after(time 1.5);
  ENDPHASE
  PHASE 2
    TRANSITION to(-1).after(stable .02);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
ENDSCRIPT
