# One cycle (two steps) of a walk of about 1.15 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk_fast(void)
  PHASE 0
    > simbicon.t(.172, -.487, -.095, .096, -.315, .183, -.296, .47, 1.274, .056, .005, .151, -.26, .414);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
