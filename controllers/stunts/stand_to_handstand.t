# From the stand to the hands: a step sets the feet as the kick-up wants them; then two steps and a kick-up, led by the leg that
# stands behind.
# Argument: hold, how long the handstand is held at the end (s).
SCRIPTS handstand_kick_up.t, single_step.t, stand.t;
BEGINSCRIPT stand_to_handstand(hold)
  PHASE 0
    TRANSITION to(5).after(when x(rFoot) - x(lFoot) > .0004);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 1
    > handstand_kick_up.t(hold);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    > handstand_kick_up.t(hold).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # a step of the foot behind
    > single_step();
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4  # feet more than .045 m apart let the kick-up's steps stumble: then once more
    > stand(.3, .3);
    TRANSITION to(0).after(when x(rFoot) - x(lFoot) > .04 and complete);
    TRANSITION to(0).after(when x(lFoot) - x(rFoot) > .04 and complete);
    TRANSITION to(2).after(when x(rFoot) > x(lFoot) + .0005 and complete);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 5
    > single_step().mirrored;
    TRANSITION to(4).after(complete);
  ENDPHASE
ENDSCRIPT
