# From one motion to another by way of slow_down, catch_step_forward.
BEGINSCRIPT run_to_broad_jump(void)
  PHASE 0
    > slow_down.t();
    TRANSITION to(1).after(iterations 1);
  ENDPHASE
  PHASE 1
    > catch_step_forward.t();
    TRANSITION to(-1).after(iterations 1);
  ENDPHASE
ENDSCRIPT
