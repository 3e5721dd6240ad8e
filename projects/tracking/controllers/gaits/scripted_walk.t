# Two steps of a walk by PD control, the left leg first.
SCRIPTS walk_step.t;
BEGINSCRIPT scripted_walk(void)
  PHASE 0
    > walk_step(com_x - x(rFoot) + .03 * com_vx, .7);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_step(com_x - x(lFoot) + .03 * com_vx, .7).mirrored;
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
