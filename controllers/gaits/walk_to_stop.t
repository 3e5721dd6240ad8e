# From the walk to a stand: one step with the right leg, balance on it, then the left foot beside it.
# Arguments: cde, cve, SIMBICON's gains on the distance and the velocity of the centre of mass in the last step.
BEGINSCRIPT walk_to_stop(void)
  PHASE 0  # a last step with the right leg
    TRANSITION to(1).after(time 0.3584);
    ACTIONS
      POSE neck2head(0.0924), waist(0.06063, 437.5, 77.7),
          uTorso2neck(-0.04038), lTorso2uTorso(0.04056, 524.4, 73.68);
      POSE lWrist(-0.0193, 4.737, 4.17), rWrist(-0.001306, 1, 3.784);
      POSE rKnee(0.8381), rAnkle(-0.7025);
      POSE lKnee(0.2158);
      POSE lAnkle(-0.0436);
      VPD uTorso(-0.09393, 364.9, 30.68).joint(lHip);
      COMFB2 -0.06421 -0.06163 j lAnkle
      VPD rThigh(-0.3464, -266.4, -26.7).joint(rHip).flags(s);
    ENDACTIONS
  ENDPHASE
  PHASE 1  # balance on the right leg
    TRANSITION to(2).after(time 0.4825);
    ACTIONS
      POSE rAnkle(0.1179);
      POSE rHip(-0.04809, 704.5, 109.6);
      POSE lHip(-0.2093, 1087, 85.47);
      POSE rKnee(0.007154);
      POSE lKnee(1.393);
      POSE lAnkle(-0.5613);
      VFFB uTorso(1025, 444.9).by(rAnkle).over(rFoot);
      VPD uTorso(-0.003034, 233.6, 32.82).joint(rHip);
    ENDACTIONS
  ENDPHASE
  PHASE 2  # bring the left leg down
    TRANSITION to(3).after(time 0.5485);
    ACTIONS
      POSE neck2head(0.02156), waist(-0.0898, 679.6, 70.82),
          uTorso2neck(0.02636), lTorso2uTorso(-0.07227, 432.6, 60.38);
      POSE rAnkle(0.07013);
      POSE rKnee(-0.05);
      POSE rHip(-0.1237);
      POSE lAnkle(-0.75);
      VFFB uTorso(1277, 385.7).by(rAnkle).over(cop);
    ENDACTIONS
  ENDPHASE
  PHASE 3  # the left leg beside the right
    TRANSITION to(-1).after(time 1.5);
    ACTIONS
      POSE rAnkle(-0.1226);
      MATCH lAnkle.to(rAnkle).time(0.8619);
      MATCH lHip.to(rHip).time(1.369);
      MATCH lKnee.to(rKnee).time(0.9197);
      VFFB uTorso(1354, 501.9).by(rAnkle).over(cop);
    ENDACTIONS
  ENDPHASE
ENDSCRIPT
