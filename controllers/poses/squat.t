# Goes down into a squat with the arms forward and balances there until everything is at rest.
# Argument: time, in which the pose is reached (s).
BEGINSCRIPT squat(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0, 1000, 100).time(time), uTorso2neck(0, 1000, 100).time(time);
      LIPOSE lTorso2uTorso(0.01199, 565.5, 9.695).time(time), waist(-0.04089, 605.8, 10.01).time(time);
      LIPOSE bShoulder(-1.678).time(time);
      LIPOSE bHip(-1.595).time(time);
      LIPOSE bKnee(1.991).time(time);
      LIPOSE bAnkle(-0.5493).time(time);
      POSE bElbow(-0.02471, 46.66, 29.08);
      POSE bWrist(-0.1874, 4.301, 2.912);
      VFFB uTorso(1888, 268.4).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(1938, 425.7).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .01);
  ENDPHASE
ENDSCRIPT
