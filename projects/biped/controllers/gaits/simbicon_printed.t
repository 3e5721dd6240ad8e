# One cycle of the walk with the constants that the source prints (Thachuk 2018, tables 3 and 4): four states, each 0.3 s of
# swing or until the foot touches the ground. Results: docs/results/biped.md.
# The angles of the source have the opposite sign. Its text and its program are different controllers. Equation 3 adds
# cd d + cv v to an angle that is positive forward; the program adds it after the angle has been negated. The text holds
# the trunk upright with kp 800; the program reads the state of a fixed joint instead of the trunk and therefore requests
# no torque.
# Arguments: cv of the swing and cd of the reach, kp and kd of the trunk: -0.2, -2.2, 800, 80 for the text (steps become
# longer as the body moves away faster), 0.2, 2.2, 0, 0 for the program.
# d and v are those of the centre of mass of the whole body; the angle of the thigh is in the world frame, as in the text.
BEGINSCRIPT simbicon_printed(cv, cd, kp, kd)
  PHASE 0  # right leg swings
    ACTIONS
      POSE rKnee(1.3), rAnkle(-.2);
      POSE lKnee(.05), lAnkle(-.2);
      VPD torso(0, kp, kd).joint(lHip);
      COMFB2 0 cv j lAnkle
      VPD rThigh(-.7, -800, -80).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(1).after(time .3);
  ENDPHASE
  PHASE 1  # right foot comes down
    ACTIONS
      POSE rKnee(.05), rAnkle(-.2);
      POSE lKnee(.1), lAnkle(-.2);
      VPD torso(0, kp, kd).joint(lHip);
      COMFB2 cd 0 j lAnkle
      VPD rThigh(.7, -800, -80).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # left leg swings
    ACTIONS
      POSE lKnee(1.3), lAnkle(-.2);
      POSE rKnee(.05), rAnkle(-.2);
      VPD torso(0, kp, kd).joint(rHip);
      COMFB2 0 cv j rAnkle
      VPD lThigh(-.7, -800, -80).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(3).after(time .3);
  ENDPHASE
  PHASE 3  # left foot comes down
    ACTIONS
      POSE lKnee(.05), lAnkle(-.2);
      POSE rKnee(.1), rAnkle(-.2);
      VPD torso(0, kp, kd).joint(rHip);
      COMFB2 cd 0 j rAnkle
      VPD lThigh(.7, -800, -80).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(contact lFoot);
  ENDPHASE
ENDSCRIPT
