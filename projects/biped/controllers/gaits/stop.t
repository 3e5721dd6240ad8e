# From a walk to both feet side by side: a short step with the right leg, the left foot beside it, then balance over both.
BEGINSCRIPT stop(void)
  PHASE 0  # a short step with the right leg
    ACTIONS
      POSE rKnee(0.8686), rAnkle(-0.2479);
      POSE lKnee(0.03231), lAnkle(0.4143);
      VPD torso(0.2314, 628.5, 58.92).joint(lHip);
      COMFB2 -0.2826 0.1499 j lAnkle
      VPD rThigh(-0.432, -426.2, -47.81).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7068);
    TRANSITION to(1).after(time 0.2063);
  ENDPHASE
  PHASE 1  # until it touches the ground
    ACTIONS
      POSE rKnee(0.01255), lKnee(0.08588);
      VPD torso(0.2196, 592.1, 61.5).joint(lHip);
      COMFB2 0.2178 -0.3189 j lAnkle
      VPD rThigh(0.4286, -405.2, -37.91).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7024);
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # the left foot beside it
    ACTIONS
      POSE lKnee(1.57), lAnkle(0.02466);
      POSE rKnee(0.02915), rAnkle(-0.08298);
      VPD torso(0.05942, 601.4, 59.75).joint(rHip);
      COMFB2 -0.3432 0.2331 j rAnkle
      VPD lThigh(-0.2256, -416.8, -35.22).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7616);
    TRANSITION to(3).after(time 0.09899);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE lKnee(0.1192), rKnee(0.2519);
      VPD torso(-0.04238, 546.8, 59.64).joint(rHip);
      COMFB2 0.1251 -0.4044 j rAnkle
      VPD lThigh(-0.03868, -388.3, -36.21).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7873);
    TRANSITION to(4).after(contact lFoot);
  ENDPHASE
  PHASE 4  # balance over both
    ACTIONS
      LIPOSE rHip(0.03757).time(0.5702), lHip(0.03757).time(0.5702);
      LIPOSE rKnee(0.07887).time(0.5147), lKnee(0.07887).time(0.5147);
      LIPOSE rAnkle(-0.06666).time(0.5735), lAnkle(-0.06666).time(0.5735);
      VFFB torso(221.6, 309.1).by(rAnkle).over(cop), torso(221.6, 309.1).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.5637);
    TRANSITION to(5).after(time 1.111);
  ENDPHASE
  PHASE 5
    ACTIONS
      VFFB torso(193.9, 350.0).by(rAnkle).over(cop), torso(193.9, 350.0).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.8258);
    TRANSITION to(-1).after(stable 0.04655);
  ENDPHASE
ENDSCRIPT
