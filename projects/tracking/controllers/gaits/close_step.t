# The left foot steps up beside the right one, which is in front and carries the body.
BEGINSCRIPT close_step(void)
  PHASE 0  # the left leg pushes the body over the right foot
    ACTIONS
      LIPOSE rHip(-0.239, 800, 80).time(.4), rKnee(0.3207, 800, 80).time(.4);
      LIPOSE lHip(0.1777, 800, 80).time(.4), lKnee(0.08637, 800, 80).time(.4), lAnkle(0.5354, 300, 30).time(.4);
      VFFB torso(200, 60).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(1).after(when com_x > x(rFoot) - 0.09283);
    TRANSITION to(fail).after(time 2);
  ENDPHASE
  PHASE 1  # swing it forward
    ACTIONS
      LIPOSE lHip(-0.5603, 800, 60).time(.2), lKnee(1.009, 800, 60).time(.2), lAnkle(-.2, 200, 10).time(.15);
      LIPOSE rHip(-0.1482, 800, 80).time(.3), rKnee(0.06906, 800, 80).time(.3);
      VFFB torso(200, 100).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(2).after(when x(lFoot) > x(rFoot) - .03);
    TRANSITION to(2).after(time 0.5683);
  ENDPHASE
  PHASE 2  # until the left foot touches the ground
    ACTIONS
      LIPOSE lHip(-0.1591, 800, 60).time(.1), lKnee(0.1828, 800, 60).time(.1), lAnkle(-.1, 200, 10).time(.1);
      VFFB torso(200, 200).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(-1).after(contact lFoot);
    TRANSITION to(-1).after(time .5);
  ENDPHASE
ENDSCRIPT
