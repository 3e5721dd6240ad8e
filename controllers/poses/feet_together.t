# Puts the rear foot beside the other if they are more than 0.02 m apart.
SCRIPTS foot_beside.t;
BEGINSCRIPT feet_together(void)
  PHASE 0
    TRANSITION to(1).after(when x(rFoot) - x(lFoot) > .02);
    TRANSITION to(2).after(when x(lFoot) - x(rFoot) > .02);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 1
    > foot_beside(.5, -.18, .38, .3, -.12, .2, 1, 1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    > foot_beside(.5, -.18, .38, .3, -.12, .2, 1, 1).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
