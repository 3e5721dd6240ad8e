# One cycle (two steps) of a walk of slow steps, about 0.6 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk_slow(void)
  PHASE 0
    > simbicon.t(0.131, -0.811, -0.279, 0.122, -0.312, 0.142, 0.043, 0.39, 0.923, 0.077, 0.013, 0.207, -0.26, 0.379);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
