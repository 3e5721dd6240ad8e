# From a walk to both feet side by side: a short step with the right leg, the left foot beside it, then balance over both.
BEGINSCRIPT stop(void)
  PHASE 0  # a short step with the right leg
    ACTIONS
      POSE rKnee(0.9657), rAnkle(-0.2269);
      POSE lKnee(0.03417), lAnkle(0.4233);
      VPD torso(0.09401, 706.4, 51.34).joint(lHip);
      COMFB2 -0.3128 0.1656 j lAnkle
      VPD rThigh(-0.3463, -407.3, -46.74).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.6188);
    TRANSITION to(1).after(time 0.2312);
  ENDPHASE
  PHASE 1  # until it touches the ground
    ACTIONS
      POSE rKnee(0.001238), lKnee(0.0003635);
      VPD torso(0.1797, 514.7, 77.57).joint(lHip);
      COMFB2 0.1394 -0.2843 j lAnkle
      VPD rThigh(0.4262, -459.6, -42.48).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.6874);
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # the left foot beside it
    ACTIONS
      POSE lKnee(1.566), lAnkle(0.0239);
      POSE rKnee(0.1096), rAnkle(-0.09491);
      VPD torso(0.1187, 612.8, 61.27).joint(rHip);
      COMFB2 -0.2954 0.2453 j rAnkle
      VPD lThigh(-0.2276, -399.7, -37.11).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.8108);
    TRANSITION to(3).after(time 0.08882);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE lKnee(0.2066), rKnee(0.2635);
      VPD torso(0.02602, 517.8, 57.99).joint(rHip);
      COMFB2 0.1126 -0.3773 j rAnkle
      VPD lThigh(-0.08685, -332.0, -37.3).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.8178);
    TRANSITION to(4).after(contact lFoot);
  ENDPHASE
  PHASE 4  # balance over both
    ACTIONS
      LIPOSE rHip(0.03399).time(0.4762), lHip(0.03399).time(0.4762);
      LIPOSE rKnee(0.003147).time(0.5116), lKnee(0.003147).time(0.5116);
      LIPOSE rAnkle(-0.05062).time(0.558), lAnkle(-0.05062).time(0.558);
      VFFB torso(197.5, 349.6).by(rAnkle).over(cop), torso(197.5, 349.6).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.6368);
    TRANSITION to(5).after(time 1.112);
  ENDPHASE
  PHASE 5
    ACTIONS
      VFFB torso(146.9, 380.4).by(rAnkle).over(cop), torso(146.9, 380.4).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.7799);
    TRANSITION to(-1).after(stable 0.04844);
  ENDPHASE
ENDSCRIPT
