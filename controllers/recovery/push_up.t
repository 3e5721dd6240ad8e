# From lying on the belly to hands and knees: the arms lift the trunk, then the hips move back over the knees.
BEGINSCRIPT push_up(void)
  PHASE 0  # straighten the arms, the knees stay on the ground
    ACTIONS
      POSE neck2head(-.2, 60, 10), uTorso2neck(-.2, 60, 10);
      POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60);
      LIPOSE bHip(-.3, 400, 50).time(1);
      LIPOSE bKnee(.5, 200, 40).time(.8);
      LIPOSE bAnkle(.8, 30, 8).time(.8);
      LIPOSE bShoulder(-1., 400, 50).time(1);
      LIPOSE bElbow(-.4, 300, 40).time(1);
      LIPOSE bWrist(-1.4, 25, 5).time(1);
    ENDACTIONS
    TRANSITION to(1).after(time 1.1);
  ENDPHASE
  PHASE 1  # the hips back over the knees
    ACTIONS
      LIPOSE bHip(-1.4, 600, 60).time(.9);
      LIPOSE bKnee(1.6, 300, 45).time(.9);
      LIPOSE bShoulder(-1.5, 400, 50).time(.9);
      LIPOSE bElbow(-.1, 300, 40).time(.9);
      LIPOSE bWrist(-1.45, 25, 5).time(.6);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
ENDSCRIPT
