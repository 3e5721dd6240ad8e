# Lies down on the back, or relaxes there after a fall: chin to the chest, limbs straight, until at rest.
BEGINSCRIPT supine(void)
  PHASE 0  # round the back and tuck in the chin, so that the back takes the ground softly
    ACTIONS
      POSE neck2head(0.55, 200, 30), uTorso2neck(0.55, 200, 30);
      LIPOSE waist(.5, 300, 60).time(.4), lTorso2uTorso(.5, 300, 60).time(.4);
      LIPOSE rHip(-1.5, 150, 40).time(.4), lHip(-1.5, 150, 40).time(.4);
      LIPOSE rKnee(1.8, 150, 40).time(.4), lKnee(1.8, 150, 40).time(.4);
      LIPOSE rAnkle(0, 100, 20).time(.4), lAnkle(0, 100, 20).time(.4);
      LIPOSE rShoulder(-.8, 100, 20).time(.4), lShoulder(-.8, 100, 20).time(.4);
      LIPOSE rElbow(-.4, 60, 15).time(.4), lElbow(-.4, 60, 15).time(.4);
      LIPOSE rWrist(0, 20, 4).time(.4), lWrist(0, 20, 4).time(.4);
    ENDACTIONS
    TRANSITION to(1).after(time 1.2);
  ENDPHASE
  PHASE 1  # stretch out
    ACTIONS
      LIPOSE neck2head(0, 200, 30).time(1), uTorso2neck(0, 200, 30).time(1);
      LIPOSE waist(0, 600, 60).time(1), lTorso2uTorso(0, 600, 60).time(1);
      LIPOSE rHip(0, 300, 45).time(1), lHip(0, 300, 45).time(1);
      LIPOSE rKnee(0, 300, 45).time(1), lKnee(0, 300, 45).time(1);
      LIPOSE rAnkle(0, 100, 20).time(1), lAnkle(0, 100, 20).time(1);
      LIPOSE rShoulder(0, 100, 20).time(1), lShoulder(0, 100, 20).time(1);
      LIPOSE rElbow(0, 100, 20).time(1), lElbow(0, 100, 20).time(1);
      LIPOSE rWrist(0, 20, 4).time(1), lWrist(0, 20, 4).time(1);
    ENDACTIONS
    TRANSITION to(2).after(time 1.5);
  ENDPHASE
  PHASE 2
    TRANSITION to(-1).after(stable .02);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
ENDSCRIPT
