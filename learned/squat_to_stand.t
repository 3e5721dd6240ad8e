# From the end of one motion to the beginning of another, proposed from the two poses (squat_to_stand).
BEGINSCRIPT squat_to_stand(void)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0.0, 100, 12).time(0.4);
      LIPOSE uTorso2neck(0.0, 100, 12).time(0.4);
      LIPOSE lTorso2uTorso(0.003808, 477.8, 81.96).time(0.4);
      LIPOSE pelvis2lTorso(0.006765, 820.1, 51.25).time(0.4);
      LIPOSE rShoulder(-0.839, 42.44, 6).time(0.4);
      LIPOSE lShoulder(-0.839, 42.44, 6).time(0.4);
      LIPOSE rElbow(-0.08735, 50, 7).time(0.4);
      LIPOSE lElbow(-0.08735, 50, 7).time(0.4);
      LIPOSE rWrist(-0.1552, 1.261, 3.191).time(0.4);
      LIPOSE lWrist(-0.1552, 1.261, 3.191).time(0.4);
      LIPOSE rHip(-0.7975, 528.4, 62.41).time(0.4);
      LIPOSE lHip(-0.7975, 528.4, 62.41).time(0.4);
      LIPOSE rKnee(1.036, 460.9, 50.84).time(0.4);
      LIPOSE lKnee(1.036, 460.9, 50.84).time(0.4);
      LIPOSE rAnkle(-0.3046, 341.7, 25.55).time(0.4);
      LIPOSE lAnkle(-0.3046, 341.7, 25.55).time(0.4);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE neck2head(0.0, 100, 12).time(0.4);
      LIPOSE uTorso2neck(0.0, 100, 12).time(0.4);
      LIPOSE lTorso2uTorso(-0.004373, 477.8, 81.96).time(0.4);
      LIPOSE pelvis2lTorso(0.05442, 820.1, 51.25).time(0.4);
      LIPOSE rShoulder(0.0, 42.44, 6).time(0.4);
      LIPOSE lShoulder(0.0, 42.44, 6).time(0.4);
      LIPOSE rElbow(-0.15, 50, 7).time(0.4);
      LIPOSE lElbow(-0.15, 50, 7).time(0.4);
      LIPOSE rWrist(-0.1231, 1.261, 3.191).time(0.4);
      LIPOSE lWrist(-0.1231, 1.261, 3.191).time(0.4);
      LIPOSE rHip(0.0, 528.4, 62.41).time(0.4);
      LIPOSE lHip(0.0, 528.4, 62.41).time(0.4);
      LIPOSE rKnee(0.08, 460.9, 50.84).time(0.4);
      LIPOSE lKnee(0.08, 460.9, 50.84).time(0.4);
      LIPOSE rAnkle(-0.06, 341.7, 25.55).time(0.4);
      LIPOSE lAnkle(-0.06, 341.7, 25.55).time(0.4);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.4);
  ENDPHASE
ENDSCRIPT
