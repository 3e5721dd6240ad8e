# Walking, about 1.3 m/s.
SCRIPTS walk_step.t;
BEGINSCRIPT walk(void)
  PHASE 0
    > walk_step();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_step().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
