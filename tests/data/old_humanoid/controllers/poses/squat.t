# Goes down into a squat with the arms forward and balances there until everything is at rest.
# Argument: time, in which the pose is reached (s).
BEGINSCRIPT squat(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0, 1000, 100).time(time), uTorso2neck(0, 1000, 100).time(time);
      LIPOSE lTorso2uTorso(0, 600, 10).time(time), waist(0, 600, 10).time(time);
      LIPOSE rShoulder(-1.7).time(time), lShoulder(-1.7).time(time);
      LIPOSE rHip(-1.6).time(time), lHip(-1.6).time(time);
      LIPOSE rKnee(2).time(time), lKnee(2).time(time);
      LIPOSE rAnkle(-.6).time(time), lAnkle(-.6).time(time);
      POSE rElbow(0, 50, 30), lElbow(0, 50, 30);
      POSE rWrist(-.2, 5, 3), lWrist(-.2, 5, 3);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 450).by(rAnkle).over(cop);
      VFFB uTorso(2000, 450).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .01);
  ENDPHASE
ENDSCRIPT
