# One cycle (two steps) of a fast walk of about 1.5 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT fast_walk(void)
  PHASE 0
    > simbicon.t(.2, 0, -2, -.2, 0, .1, -.73, .7, 1.83, .05, .05, .1, -.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
