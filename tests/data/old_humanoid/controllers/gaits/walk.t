# One cycle (two steps) of a walk of about 1 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk(void)
  PHASE 0
    > simbicon.t(.3, 0, -2.2, -.2, 0, 0, -.4, .7, 1.1, .05, .05, .1, -.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
