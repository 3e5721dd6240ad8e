# A skip: on each leg a step and a hop on the same foot, 6 cm high.
SCRIPTS skip_step.t;
BEGINSCRIPT skip(void)
  PHASE 0
    > skip_step();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > skip_step().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
