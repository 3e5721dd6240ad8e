# Fast walk, about 1.7 m/s. From the stand, the first step is that of the walk. Steep ascents have a step of their own.
SCRIPTS walk_start.t, fast_walk_step.t, fast_walk_ascent_step.t;
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
    TRANSITION to(4).after(when slope(com_x) > 0.06 and when phase_time < 0.009);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > fast_walk_step(slope(com_x)).mirrored;
    TRANSITION to(5).after(when slope(com_x) > 0.06 and when phase_time < 0.009);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4
    > fast_walk_ascent_step(slope(com_x));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 5
    > fast_walk_ascent_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
