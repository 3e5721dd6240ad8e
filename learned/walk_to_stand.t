# From the end of one motion to the beginning of another, proposed from the two poses (walk_to_stand).
BEGINSCRIPT walk_to_stand(void)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0.09976, 100, 12).time(0.3556);
      LIPOSE uTorso2neck(0.05161, 100, 12).time(0.4638);
      LIPOSE lTorso2uTorso(-0.2046, 477.8, 81.96).time(0.4468);
      LIPOSE pelvis2lTorso(-0.06752, 820.1, 51.25).time(0.479);
      LIPOSE rShoulder(-0.2232, 42.44, 6).time(0.4411);
      LIPOSE lShoulder(0.01232, 42.44, 6).time(0.3979);
      LIPOSE rElbow(-0.5816, 50, 7).time(0.3639);
      LIPOSE lElbow(-0.1704, 50, 7).time(0.3764);
      LIPOSE rWrist(-0.0172, 1.261, 3.191).time(0.4543);
      LIPOSE lWrist(0.1055, 1.261, 3.191).time(0.4136);
      LIPOSE rHip(-0.1052, 528.4, 62.41).time(0.4366);
      LIPOSE lHip(0.1592, 528.4, 62.41).time(0.3875);
      LIPOSE rKnee(0.0759, 460.9, 50.84).time(0.4109);
      LIPOSE lKnee(0.03385, 460.9, 50.84).time(0.3619);
      LIPOSE rAnkle(0.009752, 341.7, 25.55).time(0.3421);
      LIPOSE lAnkle(0.05799, 341.7, 25.55).time(0.3428);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3817);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE neck2head(-0.1001, 100, 12).time(0.4197);
      LIPOSE uTorso2neck(0.04035, 100, 12).time(0.39);
      LIPOSE lTorso2uTorso(-0.02672, 477.8, 81.96).time(0.4473);
      LIPOSE pelvis2lTorso(0.029, 820.1, 51.25).time(0.406);
      LIPOSE rShoulder(-0.04447, 42.44, 6).time(0.43);
      LIPOSE lShoulder(0.03936, 42.44, 6).time(0.3748);
      LIPOSE rElbow(-0.0235, 50, 7).time(0.3851);
      LIPOSE lElbow(-0.1797, 50, 7).time(0.3688);
      LIPOSE rWrist(-0.1465, 1.261, 3.191).time(0.3722);
      LIPOSE lWrist(-0.1527, 1.261, 3.191).time(0.4616);
      LIPOSE rHip(0.006896, 528.4, 62.41).time(0.3859);
      LIPOSE lHip(0.08473, 528.4, 62.41).time(0.4554);
      LIPOSE rKnee(0.224, 460.9, 50.84).time(0.3891);
      LIPOSE lKnee(0.06929, 460.9, 50.84).time(0.3648);
      LIPOSE rAnkle(-0.1109, 341.7, 25.55).time(0.4012);
      LIPOSE lAnkle(-0.04087, 341.7, 25.55).time(0.3737);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.4019);
  ENDPHASE
ENDSCRIPT
