# One cycle (two steps) of a walk of about 1.25 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk_fast(void)
  PHASE 0
    > simbicon.t(0.176, -0.492, -0.112, 0.056, -0.308, 0.199, -0.294, 0.483, 1.283, 0.054, 0.006, 0.154, -0.26, 0.392);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
