# Walks backward, about .5 m/s.
SCRIPTS walk_back_step.t;
BEGINSCRIPT walk_back(void)
  PHASE 0
    > walk_back_step();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_back_step().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
