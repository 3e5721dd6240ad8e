# Lies down on the belly, or relaxes there after a fall: catches the ground with the hands, then lies flat, until at rest.
BEGINSCRIPT prone(void)
  PHASE 0 # arms forward, to catch the fall
    ACTIONS
      POSE neck2head(-.4, 200, 30), uTorso2neck(-.4, 200, 30);
      LIPOSE waist(0, 300, 60).time(.4), lTorso2uTorso(0, 300, 60).time(.4);
      LIPOSE rHip(0, 150, 40).time(.5), lHip(0, 150, 40).time(.5);
      LIPOSE rKnee(.1, 150, 40).time(.5), lKnee(.1, 150, 40).time(.5);
      LIPOSE rAnkle(.6, 60, 15).time(.5), lAnkle(.6, 60, 15).time(.5);
      LIPOSE rShoulder(-1.2, 150, 40).time(.3), lShoulder(-1.2, 150, 40).time(.3);
      LIPOSE rElbow(-1, 100, 40).time(.3), lElbow(-1, 100, 40).time(.3);
      LIPOSE rWrist(-.5, 30, 6).time(.3), lWrist(-.5, 30, 6).time(.3);
    ENDACTIONS
    TRANSITION to(1).after(time 1.2);
  ENDPHASE
  PHASE 1 # lie flat, the arms above the head
    ACTIONS
      LIPOSE neck2head(-.3, 200, 30).time(1), uTorso2neck(-.3, 200, 30).time(1);
      LIPOSE waist(0, 600, 60).time(1), lTorso2uTorso(0, 600, 60).time(1);
      LIPOSE rHip(0, 300, 45).time(1), lHip(0, 300, 45).time(1);
      LIPOSE rKnee(0, 300, 45).time(1), lKnee(0, 300, 45).time(1);
      LIPOSE rAnkle(1, 60, 15).time(1), lAnkle(1, 60, 15).time(1);
      LIPOSE rShoulder(-2.6, 100, 20).time(1.2), lShoulder(-2.6, 100, 20).time(1.2);
      LIPOSE rElbow(-.6, 100, 20).time(1), lElbow(-.6, 100, 20).time(1);
      LIPOSE rWrist(0, 20, 4).time(1), lWrist(0, 20, 4).time(1);
    ENDACTIONS
    TRANSITION to(2).after(time 1.6);
  ENDPHASE
  PHASE 2
    TRANSITION to(-1).after(stable .02);
  ENDPHASE
ENDSCRIPT
