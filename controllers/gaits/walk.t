# Walking, about 1.3 m/s. From the stand, the first step is a separate script. If a push has made the body slow, another script
# continues the step, except uphill and near edges. An undisturbed walk is as slow only uphill; elsewhere it exceeds 0.5 m/s.
SCRIPTS walk_start.t, walk_step.t, walk_step_pushed.t;
BEGINSCRIPT walk(void)
  PHASE 0
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(6).after(complete);
  ENDPHASE
  PHASE 2
    > walk_step(slope(com_x));
    TRANSITION to(3).after(complete);
    TRANSITION to(4).after(when slope(com_x) < 0.05 and when edge_after(com_x - 0.6) > 1.2 and when com_vx < 0.476);
  ENDPHASE
  PHASE 3
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
    TRANSITION to(5).after(when slope(com_x) < 0.05 and when edge_after(com_x - 0.6) > 1.2 and when com_vx < 0.476);
  ENDPHASE
  PHASE 4
    > walk_step_pushed();
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 5
    > walk_step_pushed().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 6  # the second step from the stand can be as slow
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
