# From the squat to the stand: straightens the legs slowly over the feet, then balances.
# Argument: time, in which the legs straighten (s).
BEGINSCRIPT rise(time)
  PHASE 0
    ACTIONS
      POSE neck2head(0, 1000, 100), uTorso2neck(0, 1000, 100);
      POSE rElbow(0, 100, 30), lElbow(0, 100, 30), rWrist(0, 100, 10), lWrist(0, 100, 10);
      LIPOSE waist(0, 600, 10).time(time), lTorso2uTorso(0, 600, 60).time(time);
      LIPOSE rShoulder(0).time(time), lShoulder(0).time(time);
      LIPOSE rHip(0).time(time), lHip(0).time(time);
      LIPOSE rKnee(0).time(time), lKnee(0).time(time);
      LIPOSE rAnkle(0).time(time), lAnkle(0).time(time);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .02);
  ENDPHASE
ENDSCRIPT
