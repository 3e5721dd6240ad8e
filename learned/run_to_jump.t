# From one motion to another by way of run_to_stop.
BEGINSCRIPT run_to_jump(void)
  PHASE 0
    > run_to_stop.t();
    TRANSITION to(-1).after(iterations 1);
  ENDPHASE
ENDSCRIPT
