# Two steps of a walk by PD control. If the body moves, the front foot stands first; from rest the rear foot, which pushes the
# body over the other one.
SCRIPTS walk_step.t;
BEGINSCRIPT scripted_walk(void)
  PHASE 0  # select the stance foot
    TRANSITION to(1).after(when com_vx > .3 and when x(rFoot) > x(lFoot));
    TRANSITION to(3).after(when com_vx > .3);
    TRANSITION to(1).after(when x(rFoot) < x(lFoot) + .1);
    TRANSITION to(3).after(time 0);
  ENDPHASE
  PHASE 1  # the left leg swings first
    > walk_step(com_x - x(rFoot) + .03 * com_vx, .7);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2
    > walk_step(com_x - x(lFoot) + .03 * com_vx, .7).mirrored;
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # the right leg swings first
    > walk_step(com_x - x(lFoot) + .03 * com_vx, .7).mirrored;
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > walk_step(com_x - x(rFoot) + .03 * com_vx, .7);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
