# Balances with the knees half bent, arms forward, until everything is at rest.
# Argument: time, in which the pose is reached (s).
BEGINSCRIPT high_squat(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0, 60, 10).time(time), uTorso2neck(0, 60, 10).time(time);
      LIPOSE lTorso2uTorso(0, 600, 30).time(time), waist(0, 600, 30).time(time);
      LIPOSE bShoulder(-1.2, 100, 20).time(time);
      LIPOSE bElbow(-.2, 60, 12).time(time), bWrist(-.1, 5, 2).time(time);
      LIPOSE bHip(-.95).time(time);
      LIPOSE bKnee(1.15).time(time);
      LIPOSE bAnkle(-.4).time(time);
      VFFB uTorso(2000, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 350).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .02);
  ENDPHASE
ENDSCRIPT
