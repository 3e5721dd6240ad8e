# Running, about 3 m/s: a jog.
SCRIPTS run_step.t;
BEGINSCRIPT run(void)
  PHASE 0
    > run_step();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > run_step().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
