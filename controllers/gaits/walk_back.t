# Walks backward, about 0.65 m/s. From the stand, the first step is a separate script.
SCRIPTS walk_back_start.t, walk_back_step.t;
BEGINSCRIPT walk_back(void)
  PHASE 0
    TRANSITION to(2).after(when com_vx < -0.1422);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_back_start();
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 2
    > walk_back_step();
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > walk_back_step().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
