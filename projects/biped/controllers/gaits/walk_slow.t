# One cycle (two steps) of a walk of short steps, about 0.4 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk_slow(void)
  PHASE 0
    > simbicon.t(.12, -.439, -.084, -.018, -.299, .269, -.417, .47, 1.479, .004, .048, .026, -.184, .327);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
