# From one motion to another by way of stand.
BEGINSCRIPT high_squat_to_run(void)
  PHASE 0
    > stand.t(0.5, 0.5);
    TRANSITION to(-1).after(iterations 1);
  ENDPHASE
ENDSCRIPT
