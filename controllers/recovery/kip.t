# A kip: from lying on the back, throws the legs up and over and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT kip(void)
  PHASE 0 # draw in the legs, hands beside the head
    ACTIONS
      POSE neck2head(-.0395, 1060, 95.5), uTorso2neck(-.0998, 1130, 82.8);
      POSE lTorso2uTorso(.0745, 882, 116), waist(.0364, 1080, 88.7);
      POSE rWrist(-1.38), lWrist(-1.38);
      LIPOSE rAnkle(.0143).time(.634), lAnkle(.0143).time(.634);
      LIPOSE rKnee(2.8).time(.475), lKnee(2.8).time(.475);
      LIPOSE rHip(-1.47).time(.576), lHip(-1.47).time(.576);
      LIPOSE rShoulder(-2.42).time(.77), lShoulder(-2.42).time(.77);
      LIPOSE rElbow(-2.3).time(.639), lElbow(-2.3).time(.639);
    ENDACTIONS
    TRANSITION to(1).after(time .85);
  ENDPHASE
  PHASE 1 # throw the feet up
    ACTIONS
      POSE rKnee(.0425), lKnee(.0425);
      POSE rHip(-1.65), lHip(-1.65);
      VF (-1.42, 425, 0).on(rFoot).by(rHip);
      VF (-1.42, 425, 0).on(lFoot).by(lHip);
    ENDACTIONS
    TRANSITION to(2).after(time .239);
  ENDPHASE
  PHASE 2 # throw the legs over and push off with the hands
    ACTIONS
      POSE rAnkle(-.958), lAnkle(-.958);
      POSE rKnee(1.54, 1150, 110), lKnee(1.54, 1150, 110);
      POSE rHip(.74), lHip(.74);
      VF (-16.5, -3500, 0).on(rHand).by(rShoulder);
      VF (-16.5, -3500, 0).on(lHand).by(lShoulder);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
  ENDPHASE
  PHASE 3 # bring the trunk over the feet
    ACTIONS
      POSE waist(.478, 625, 69.6);
      POSE rAnkle(-.477, 891, 99.5), lAnkle(-.477, 891, 99.5);
      POSE rShoulder(-1.67), lShoulder(-1.67);
      POSE rElbow(.05, 57.5, 32.5), lElbow(.05, 57.5, 32.5);
      POSE rWrist(-.227, 5.22, 2.74), lWrist(-.227, 5.22, 2.74);
      LIPOSE rHip(-1.21, 1000, 108).time(.432), lHip(-1.21, 1000, 108).time(.432);
      VFFB uTorso(1500, 92.2).by(rAnkle).over(cop);
      VFFB uTorso(1500, 92.2).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 1.08);
  ENDPHASE
  PHASE 4
    > squat.t(2);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
