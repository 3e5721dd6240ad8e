# Holds the pose on hands and knees until everything is at rest, or three seconds at most.
# Argument: time, in which the pose is reached (s).
BEGINSCRIPT hands_and_knees(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(-.3, 300, 45).time(time), uTorso2neck(-.3, 300, 45).time(time);
      LIPOSE waist(0, 600, 60).time(time), lTorso2uTorso(0, 600, 60).time(time);
      LIPOSE rHip(-1.5, 1000, 100).time(time), lHip(-1.5, 1000, 100).time(time);
      LIPOSE rKnee(1.5, 1000, 100).time(time), lKnee(1.5, 1000, 100).time(time);
      LIPOSE rAnkle(-1, 300, 45).time(time), lAnkle(-1, 300, 45).time(time);
      LIPOSE rShoulder(-1.4, 1000, 100).time(time), lShoulder(-1.4, 1000, 100).time(time);
      LIPOSE rElbow(-.8, 1000, 100).time(time), lElbow(-.8, 1000, 100).time(time);
      LIPOSE rWrist(-1, 100, 10).time(time), lWrist(-1, 100, 10).time(time);
    ENDACTIONS
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    TRANSITION to(-1).after(stable .02);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
ENDSCRIPT
