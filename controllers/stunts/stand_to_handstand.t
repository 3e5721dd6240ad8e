# From the stand to the handstand: a step places the feet for the kick-up; then two steps and a kick-up, starting with the rear
# leg.
# Argument: hold, the time of the handstand at the end (s).
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
  PHASE 3  # a step of the rear foot
    > single_step();
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4  # with feet more than 0.045 m apart the kick-up fails: step once more
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
