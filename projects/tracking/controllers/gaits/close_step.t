# The left foot steps up beside the right one, which is in front and carries the body.
BEGINSCRIPT close_step(void)
  PHASE 0  # the left leg pushes the body over the right foot
    ACTIONS
      LIPOSE rHip(-.3, 800, 80).time(.4), rKnee(.35, 800, 80).time(.4);
      LIPOSE lHip(.15, 800, 80).time(.4), lKnee(.1, 800, 80).time(.4), lAnkle(.55, 300, 30).time(.4);
      VFFB torso(200, 60).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(1).after(when com_x > x(rFoot) - .1);
    TRANSITION to(fail).after(time 2);
  ENDPHASE
  PHASE 1  # and swings forward
    ACTIONS
      LIPOSE lHip(-.5, 800, 60).time(.2), lKnee(1.1, 800, 60).time(.2), lAnkle(-.2, 200, 10).time(.15);
      LIPOSE rHip(-.15, 800, 80).time(.3), rKnee(.2, 800, 80).time(.3);
      VFFB torso(200, 100).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(2).after(when x(lFoot) > x(rFoot) - .03);
    TRANSITION to(2).after(time .5);
  ENDPHASE
  PHASE 2  # until it touches the ground
    ACTIONS
      LIPOSE lHip(-.1, 800, 60).time(.1), lKnee(.2, 800, 60).time(.1), lAnkle(-.1, 200, 10).time(.1);
      VFFB torso(200, 200).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(-1).after(contact lFoot);
    TRANSITION to(-1).after(time .5);
  ENDPHASE
ENDSCRIPT
