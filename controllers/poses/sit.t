# Sits on the ground, knees half bent, until everything is at rest.
# Argument: time, in which the pose is reached (s).
BEGINSCRIPT sit(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0, 60, 10).time(time), uTorso2neck(0, 60, 10).time(time);
      LIPOSE bHip(-1.7 + slope(com_x) * (-1.48 - 6.51 * slope(com_x)), 300, 50).time(time),
          bKnee(1.1, 150, 30).time(time), bAnkle(.1, 40, 10).time(time);
      LIPOSE waist(.1, 600, 60).time(time), lTorso2uTorso(.1, 600, 60).time(time);
      LIPOSE bShoulder(-.5, 80, 20).time(time), bElbow(-.3, 60, 15).time(time), bWrist(0, 10, 3).time(time);
    ENDACTIONS
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    TRANSITION to(-1).after(stable .03);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
ENDSCRIPT
