# Lies down on the belly, or relaxes there after a fall: the arms catch the ground and let the chest down
# to it, then reach behind the back and fold, so that the hands always end beside the chest.
BEGINSCRIPT prone(void)
  PHASE 5  # upright still (sitting, in the splits, sinking down): gather the legs first
    TRANSITION to(6).after(anglerange -1.3 1.35);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 6  # crouch over the knees, hands forward
    ACTIONS
      LIPOSE waist(.4, 600, 60).time(.3), lTorso2uTorso(.3, 600, 60).time(.3);
      LIPOSE rHip(-2.1, 500, 60).time(.4), lHip(-2.1, 500, 60).time(.4);
      LIPOSE rKnee(2.3, 400, 50).time(.4), lKnee(2.3, 400, 50).time(.4);
      LIPOSE rAnkle(.3, 100, 20).time(.4), lAnkle(.3, 100, 20).time(.4);
      LIPOSE rShoulder(-1.4, 200, 40).time(.3), lShoulder(-1.4, 200, 40).time(.3);
      LIPOSE rElbow(-.5, 200, 40).time(.3), lElbow(-.5, 200, 40).time(.3);
      LIPOSE rWrist(-1, 30, 6).time(.3), lWrist(-1, 30, 6).time(.3);
    ENDACTIONS
    TRANSITION to(0).after(time 1);
  ENDPHASE
  PHASE 0  # arms forward, to catch the fall
    ACTIONS
      POSE neck2head(-.4, 200, 30), uTorso2neck(-.4, 200, 30);
      LIPOSE waist(0, 600, 60).time(.4), lTorso2uTorso(0, 600, 60).time(.4);
      LIPOSE rHip(-.2, 150, 40).time(.5), lHip(-.2, 150, 40).time(.5);
      LIPOSE rKnee(.3, 150, 40).time(.5), lKnee(.3, 150, 40).time(.5);
      LIPOSE rAnkle(.6, 60, 15).time(.5), lAnkle(.6, 60, 15).time(.5);
      LIPOSE rShoulder(-1.1, 150, 40).time(.3), lShoulder(-1.1, 150, 40).time(.3);
      LIPOSE rElbow(-.9, 100, 40).time(.3), lElbow(-.9, 100, 40).time(.3);
      LIPOSE rWrist(-.8, 30, 6).time(.3), lWrist(-.8, 30, 6).time(.3);
    ENDACTIONS
    TRANSITION to(1).after(time .9);
  ENDPHASE
  PHASE 1  # let the body down
    ACTIONS
      LIPOSE neck2head(-.3, 200, 30).time(.8), uTorso2neck(-.3, 200, 30).time(.8);
      LIPOSE waist(0, 600, 60).time(.8), lTorso2uTorso(0, 600, 60).time(.8);
      LIPOSE rHip(0, 300, 45).time(.8), lHip(0, 300, 45).time(.8);
      LIPOSE rKnee(0, 300, 45).time(.8), lKnee(0, 300, 45).time(.8);
      LIPOSE rAnkle(.9, 60, 15).time(.8), lAnkle(.9, 60, 15).time(.8);
      LIPOSE rShoulder(.5, 150, 40).time(.8), lShoulder(.5, 150, 40).time(.8);
      LIPOSE rElbow(-2, 150, 40).time(.8), lElbow(-2, 150, 40).time(.8);
    ENDACTIONS
    TRANSITION to(2).after(time .9);
  ENDPHASE
  PHASE 2  # arms up behind the back
    ACTIONS
      LIPOSE rShoulder(1.4, 200, 40).time(.4), lShoulder(1.4, 200, 40).time(.4);
      LIPOSE rElbow(-.2, 200, 40).time(.5), lElbow(-.2, 200, 40).time(.5);
      LIPOSE rWrist(-1, 40, 6).time(.4), lWrist(-1, 40, 6).time(.4);
    ENDACTIONS
    TRANSITION to(3).after(time .7);
  ENDPHASE
  PHASE 3  # fold them, hands beside the chest
    ACTIONS
      LIPOSE rElbow(-2.4, 150, 40).time(.5), lElbow(-2.4, 150, 40).time(.5);
      LIPOSE rShoulder(.9, 150, 40).time(.8), lShoulder(.9, 150, 40).time(.8);
      LIPOSE rWrist(-.9, 40, 6).time(.4), lWrist(-.9, 40, 6).time(.4);
    ENDACTIONS
    TRANSITION to(4).after(time 1);
  ENDPHASE
  PHASE 4
    TRANSITION to(-1).after(stable .02);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
ENDSCRIPT
