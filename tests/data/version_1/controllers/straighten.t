# Straightens everything in a time, then waits for rest.
BEGINSCRIPT straighten(time)
  PHASE 0
    ACTIONS
      LIPOSE waist(0, 600, 10).time(time), lTorso2uTorso(0, 600, 60).time(time);
      LIPOSE rShoulder(0).time(time), lShoulder(0).time(time);
      LIPOSE rHip(0).time(time), lHip(0).time(time);
      LIPOSE rKnee(0).time(time), lKnee(0).time(time);
      LIPOSE rAnkle(0).time(time), lAnkle(0).time(time);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop), uTorso(2000, 250).by(lAnkle).over(cop);
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
    TRANSITION to(-1).after(stable .05);
  ENDPHASE
ENDSCRIPT
