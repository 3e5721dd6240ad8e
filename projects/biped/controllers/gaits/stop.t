# From a walk to both feet side by side: a short step with the right leg, the left foot beside it, then balance over both.
BEGINSCRIPT stop(void)
  PHASE 0  # a short step with the right leg
    ACTIONS
      POSE rKnee(0.808), rAnkle(-0.2242);
      POSE lKnee(0.04373), lAnkle(0.449);
      VPD torso(0.2009, 600, 60).joint(lHip);
      COMFB2 -0.3636 0.2098 j lAnkle
      VPD rThigh(-0.456, -400, -40).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(1).after(time 0.184);
  ENDPHASE
  PHASE 1  # until it touches the ground
    ACTIONS
      POSE rKnee(0.04436), lKnee(0.1242);
      VPD torso(0.2009, 600, 60).joint(lHip);
      COMFB2 0.1777 -0.3227 j lAnkle
      VPD rThigh(0.3853, -400, -40).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # the left foot beside it
    ACTIONS
      POSE lKnee(1.55), lAnkle(-0.07971);
      POSE rKnee(0.026), rAnkle(0.001728);
      VPD torso(-0.03921, 600, 60).joint(rHip);
      COMFB2 -0.3793 0.2287 j rAnkle
      VPD lThigh(-0.2, -400, -40).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(3).after(time 0.1);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE lKnee(0.06283), rKnee(0.1655);
      VPD torso(-0.03921, 600, 60).joint(rHip);
      COMFB2 0.09279 -0.3685 j rAnkle
      VPD lThigh(-0.02979, -400, -40).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(4).after(contact lFoot);
  ENDPHASE
  PHASE 4  # balance over both
    ACTIONS
      LIPOSE rHip(0.01383).time(0.5507), lHip(0.01383).time(0.5507);
      LIPOSE rKnee(0.06183).time(0.5507), lKnee(0.06183).time(0.5507);
      LIPOSE rAnkle(-0.06209).time(0.5507), lAnkle(-0.06209).time(0.5507);
      VFFB torso(216.9, 320).by(rAnkle).over(cop), torso(216.9, 320).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(5).after(time 1);
  ENDPHASE
  PHASE 5
    ACTIONS
      VFFB torso(216.9, 320).by(rAnkle).over(cop), torso(216.9, 320).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(stable .05);
  ENDPHASE
ENDSCRIPT
