# From the walk to a stand: one step with the right leg, balance on it, then the left foot beside it.
# Arguments: cde, cve, SIMBICON's gains on the distance and the velocity of the centre of mass in the last step.
BEGINSCRIPT walk_to_stop(cde, cve)
  PHASE 0  # a last step with the right leg
    TRANSITION to(1).after(time 0.2779);
    ACTIONS
      POSE neck2head(0.0924), waist(-0.01117, 511.5, 58.2),
          uTorso2neck(-0.04038), lTorso2uTorso(-0.0009256, 640.3, 62.47);
      POSE lWrist(-0.04786, 2.962, 3.209), rWrist(-0.007511, 3.512, 3.232);
      POSE rKnee(0.6651), rAnkle(-0.4578);
      POSE lKnee(0.05277);
      POSE lAnkle(-0.2442);
      VPD uTorso(0.1045, 280.1, 33.58).joint(lHip);
      COMFB2 cde cve j lAnkle
      VPD rThigh(-0.5416, -346.3, -27.28).joint(rHip).flags(s);
    ENDACTIONS
  ENDPHASE
  PHASE 1  # balance on the right leg
    TRANSITION to(2).after(time 0.9156);
    ACTIONS
      POSE rAnkle(0.1025);
      POSE rHip(-0.04518, 732.5, 127.9);
      POSE lHip(-0.3889, 984.8, 102.4);
      POSE rKnee(0.0354);
      POSE lKnee(1.459);
      POSE lAnkle(-0.5523);
      VFFB uTorso(1109, 448.5).by(rAnkle).over(rFoot);
      VPD uTorso(0.01733, 279.7, 33.7).joint(rHip);
    ENDACTIONS
  ENDPHASE
  PHASE 2  # bring the left leg down
    TRANSITION to(3).after(time 1.014);
    ACTIONS
      POSE neck2head(0.02156), waist(-0.05584, 712.8, 64.02),
          uTorso2neck(0.02636), lTorso2uTorso(-0.001901, 538.7, 58.39);
      POSE rAnkle(0.02791);
      POSE rKnee(-0.04929);
      POSE rHip(0.02001);
      POSE lAnkle(-0.8992);
      VFFB uTorso(1020, 509.5).by(rAnkle).over(cop);
    ENDACTIONS
  ENDPHASE
  PHASE 3  # the left leg beside the right
    TRANSITION to(-1).after(time 1.717);
    ACTIONS
      POSE rAnkle(-0.02448);
      MATCH lAnkle.to(rAnkle).time(1.049);
      MATCH lHip.to(rHip).time(1.074);
      MATCH lKnee.to(rKnee).time(0.8837);
      VFFB uTorso(1195, 423.4).by(rAnkle).over(cop);
    ENDACTIONS
  ENDPHASE
ENDSCRIPT
