#File: fastwalkonce.t
#Description: Fast Walk, calls SIMBICON
#Inputs: void
SCRIPTS simbicononce.t;

BEGINSCRIPT fastwalk(void)
  PHASE 0
    > simbicononce.t(.2, 0.0, -2., -.2, 0.0, 0.1,
      -.73, .7, 1.83, .05, 0.05, 0.1, -.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
