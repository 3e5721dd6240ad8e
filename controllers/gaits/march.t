# A march with the thighs raised to the horizontal.
SCRIPTS march_step.t;
BEGINSCRIPT march(void)
  PHASE 0
    > march_step(slope(com_x));
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > march_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
