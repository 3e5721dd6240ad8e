# Goes down into a squat with the arms forward and balances there until everything is at rest.
# Argument: time, in which the pose is reached (s).
BEGINSCRIPT squat(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0, 1000, 100).time(time), uTorso2neck(0, 1000, 100).time(time);
      LIPOSE lTorso2uTorso(0.06398, 658.5, 9.794).time(time), waist(0.06993, 547.4, 11.68).time(time);
      LIPOSE bShoulder(-1.735).time(time);
      LIPOSE bHip(-1.48).time(time);
      LIPOSE bKnee(1.89).time(time);
      LIPOSE bAnkle(-0.486).time(time);
      POSE bElbow(-0.1004, 51.07, 33.28);
      POSE bWrist(-0.05755, 1, 3.494);
      VFFB uTorso(2052, 289.4).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(1460, 497.2).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .01);
  ENDPHASE
ENDSCRIPT
