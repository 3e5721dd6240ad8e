# A kip: from lying on the back, throws the legs up and over and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT kip(void)
  PHASE 0  # draw in the legs, hands beside the head
    ACTIONS
      POSE neck2head(-0.05371, 1019, 115.1), uTorso2neck(-0.07735, 974.3, 77.37);
      POSE lTorso2uTorso(0.007997, 850, 153.8), waist(0.00926, 1108, 95.28);
      POSE rWrist(-1.501), lWrist(-1.501);
      LIPOSE rAnkle(-0.01875).time(0.6608), lAnkle(-0.01875).time(0.6608);
      LIPOSE rKnee(2.749).time(0.4586), lKnee(2.749).time(0.4586);
      LIPOSE rHip(-1.326).time(0.6263), lHip(-1.326).time(0.6263);
      LIPOSE rShoulder(-2.298).time(0.8043), lShoulder(-2.298).time(0.8043);
      LIPOSE rElbow(-2.453).time(0.6521), lElbow(-2.453).time(0.6521);
    ENDACTIONS
    TRANSITION to(1).after(time 0.7269);
  ENDPHASE
  PHASE 1  # throw the feet up
    ACTIONS
      POSE rKnee(-0.01368), lKnee(-0.01368);
      POSE rHip(-1.581), lHip(-1.581);
      VF (-63.54, 377.2, 82.75).on(rFoot).by(rHip);
      VF (-63.54, 377.2, 82.75).on(lFoot).by(lHip);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2448);
  ENDPHASE
  PHASE 2  # throw the legs over and push off with the hands
    ACTIONS
      POSE rAnkle(-0.9617), lAnkle(-0.9617);
      POSE rKnee(1.472, 1290, 116.7), lKnee(1.472, 1290, 116.7);
      POSE rHip(0.6388), lHip(0.6388);
      VF (-28.07, -3199, -8.549).on(rHand).by(rShoulder);
      VF (-28.07, -3199, -8.549).on(lHand).by(lShoulder);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
  ENDPHASE
  PHASE 3  # bring the trunk over the feet
    ACTIONS
      POSE waist(0.3777, 685.9, 61.83);
      POSE rAnkle(-0.4355, 794, 73.26), lAnkle(-0.4355, 794, 73.26);
      POSE rShoulder(-1.679), lShoulder(-1.679);
      POSE rElbow(-0.07443, 57.16, 33.22), lElbow(-0.07443, 57.16, 33.22);
      POSE rWrist(-0.2956, 3.918, 1.904), lWrist(-0.2956, 3.918, 1.904);
      LIPOSE rHip(-1.129, 988.4, 89.18).time(0.3995), lHip(-1.129, 988.4, 89.18).time(0.3995);
      VFFB uTorso(1409, 93.13).by(rAnkle).over(cop);
      VFFB uTorso(1409, 93.13).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 1.122);
  ENDPHASE
  PHASE 4
    > squat.t(1.102);
    TRANSITION to(-1).after(fallen x 1.096);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
