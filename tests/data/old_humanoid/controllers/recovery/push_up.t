# From lying on the belly to hands and knees: the arms lift the trunk, then the knees come under the hips.
BEGINSCRIPT push_up(void)
  PHASE 0  # straighten the arms, the knees stay on the ground
    ACTIONS
      POSE neck2head(-.3, 300, 45), uTorso2neck(-.3, 300, 45);
      POSE waist(0, 1000, 100), lTorso2uTorso(0, 1000, 100);
      LIPOSE rHip(-.5, 600, 80).time(1), lHip(-.5, 600, 80).time(1);
      LIPOSE rKnee(.6, 400, 60).time(.8), lKnee(.6, 400, 60).time(.8);
      LIPOSE rAnkle(.3, 100, 20).time(.8), lAnkle(.3, 100, 20).time(.8);
      LIPOSE rShoulder(-1.2, 1000, 100).time(1), lShoulder(-1.2, 1000, 100).time(1);
      LIPOSE rElbow(-.5, 1000, 100).time(1), lElbow(-.5, 1000, 100).time(1);
      LIPOSE rWrist(-1.2, 100, 10).time(1), lWrist(-1.2, 100, 10).time(1);
    ENDACTIONS
    TRANSITION to(1).after(time 1.1);
  ENDPHASE
  PHASE 1  # draw the knees under the hips
    ACTIONS
      LIPOSE rHip(-1.7, 1000, 100).time(.6), lHip(-1.7, 1000, 100).time(.6);
      LIPOSE rKnee(1.8, 1000, 100).time(.5), lKnee(1.8, 1000, 100).time(.5);
      LIPOSE rAnkle(0, 200, 30).time(.5), lAnkle(0, 200, 30).time(.5);
      LIPOSE rShoulder(-1.5, 1000, 100).time(.6), lShoulder(-1.5, 1000, 100).time(.6);
    ENDACTIONS
    TRANSITION to(-1).after(time .8);
  ENDPHASE
ENDSCRIPT
