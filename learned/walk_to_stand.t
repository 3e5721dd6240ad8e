# From one motion to another by way of walk_to_stop.
BEGINSCRIPT walk_to_stand(void)
  PHASE 0
    > walk_to_stop.t();
    TRANSITION to(-1).after(iterations 1);
  ENDPHASE
ENDSCRIPT
