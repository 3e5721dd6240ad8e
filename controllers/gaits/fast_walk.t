# Fast walk, about 1.7 m/s. From the stand, the first step is that of the walk.
SCRIPTS walk_start.t, fast_walk_step.t;
BEGINSCRIPT fast_walk(void)
  PHASE 0
    TRANSITION to(2).after(when com_vx > 0.3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 2
    > fast_walk_step(slope(com_x));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > fast_walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
