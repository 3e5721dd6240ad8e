# From a walk to both feet side by side: a short step with the right leg, the left foot beside it, then balance on both.
BEGINSCRIPT stop(void)
  PHASE 0  # a short step with the right leg
    ACTIONS
      POSE rKnee(0.9075), rAnkle(-0.2044);
      POSE lKnee(0.205), lAnkle(0.4035);
      VPD torso(0.07192, 758.0, 52.44).joint(lHip);
      COMFB2 -0.3164 0.175 j lAnkle
      VPD rThigh(-0.4358, -375.5, -45.27).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.5344);
    TRANSITION to(1).after(time 0.2488);
  ENDPHASE
  PHASE 1  # until it touches the ground
    ACTIONS
      POSE rKnee(0.04224), lKnee(0.1155);
      VPD torso(0.156, 495.1, 78.49).joint(lHip);
      COMFB2 0.01655 -0.2964 j lAnkle
      VPD rThigh(0.4305, -406.5, -46.8).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7385);
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # the left foot beside it
    ACTIONS
      POSE lKnee(1.570796), lAnkle(-0.03034);
      POSE rKnee(0.07221), rAnkle(-0.08431);
      VPD torso(0.2562, 599.8, 67.6).joint(rHip);
      COMFB2 -0.3605 0.2355 j rAnkle
      VPD lThigh(-0.2405, -417.6, -30.8).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.8943);
    TRANSITION to(3).after(time 0.09688);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE lKnee(0.2181), rKnee(0.3137);
      VPD torso(0.1427, 479.4, 61.69).joint(rHip);
      COMFB2 0.2126 -0.3265 j rAnkle
      VPD lThigh(-0.07083, -379.1, -38.26).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7315);
    TRANSITION to(4).after(contact lFoot);
  ENDPHASE
  PHASE 4  # balance on both
    ACTIONS
      LIPOSE rHip(-0.05848).time(0.5517), lHip(-0.05848).time(0.5517);
      LIPOSE rKnee(0.00125).time(0.6), lKnee(0.00125).time(0.6);
      LIPOSE rAnkle(-0.06622).time(0.5655), lAnkle(-0.06622).time(0.5655);
      VFFB torso(177.5, 388.7).by(rAnkle).over(cop), torso(177.5, 388.7).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7053);
    TRANSITION to(5).after(time 0.9039);
  ENDPHASE
  PHASE 5
    ACTIONS
      VFFB torso(133.7, 311.7).by(rAnkle).over(cop), torso(133.7, 311.7).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7938);
    TRANSITION to(-1).after(stable 0.04132);
  ENDPHASE
ENDSCRIPT
