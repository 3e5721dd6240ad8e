# A skip: on each leg a step and a hop on the same foot, 6 cm high.
SCRIPTS skip_step.t;
BEGINSCRIPT skip(void)
  PHASE 0
    > skip_step(slope(com_x));
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > skip_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
