# Walking, about 1.3 m/s. From the stand, the first step is a separate script.
SCRIPTS walk_start.t, walk_step.t;
BEGINSCRIPT walk(void)
  PHASE 0
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 2
    > walk_step(slope(com_x));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
