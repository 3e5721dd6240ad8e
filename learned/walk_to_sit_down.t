# From one motion to another by way of walk_to_stop, stand, squat.
BEGINSCRIPT walk_to_sit_down(void)
  PHASE 0
    > walk_to_stop.t();
    TRANSITION to(1).after(iterations 1);
  ENDPHASE
  PHASE 1
    > stand.t(0.5647, 0.5269);
    TRANSITION to(2).after(iterations 1);
  ENDPHASE
  PHASE 2
    > squat.t(0.9465);
    TRANSITION to(-1).after(iterations 1);
  ENDPHASE
ENDSCRIPT
