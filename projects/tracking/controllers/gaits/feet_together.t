# From the stop, with the feet a step apart, to the stand: the rear foot steps up beside the front one.
SCRIPTS close_step.t, stand.t, stop.t;
BEGINSCRIPT feet_together(void)
  PHASE 0  # wait for rest, also if the end of the stop was disturbed
    > stop();
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # which foot is in front?
    TRANSITION to(2).after(when x(rFoot) > x(lFoot));
    TRANSITION to(3).after(time 0);
  ENDPHASE
  PHASE 2  # the right one
    > close_step();
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 3  # the left one
    > close_step().mirrored;
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > stand();
    TRANSITION to(fail).after(fallen x 1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
