# From the run directly to a stand: four braking steps, then the feet together.
SCRIPTS slow_down.t, walk_to_stop.t;
BEGINSCRIPT run_to_stop(void)
  PHASE 0
    > slow_down();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_to_stop();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
