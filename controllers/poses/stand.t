# Rises to an upright stand and balances there until everything is at rest.
# Arguments: rise, the time in which legs and shoulders reach the pose; hold, the minimum time before it may end (s).
BEGINSCRIPT stand(rise, hold)
  PHASE 0
    ACTIONS
      POSE neck2head(0, 1000, 100), uTorso2neck(0, 1000, 100), waist(0, 600, 10), lTorso2uTorso(0, 600, 60);
      POSE rElbow(0, 1000, 100), lElbow(0, 1000, 100), rWrist(0, 100, 10), lWrist(0, 100, 10);
      LIPOSE rShoulder(0).time(rise), lShoulder(0).time(rise);
      LIPOSE rHip(0).time(rise), lHip(0).time(rise);
      LIPOSE rKnee(0).time(rise), lKnee(0).time(rise);
      LIPOSE rAnkle(0).time(rise), lAnkle(0).time(rise);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time hold);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .01);
  ENDPHASE
ENDSCRIPT
