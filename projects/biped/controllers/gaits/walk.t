# One cycle (two steps) of a walk of about 0.75 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk(void)
  PHASE 0
    > simbicon.t(.12, -.571, .178, -.054, -.56, .258, -.484, .335, 1.547, .013, .033, .089, -.172, .33);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
