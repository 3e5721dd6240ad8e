# From the walk to the step up onto a box: the walk stops first.
BEGINSCRIPT walk_to_step_up(void)
  PHASE 0
    > walk_to_stop.t();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > stand.t(0.5418, 0.5142);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
