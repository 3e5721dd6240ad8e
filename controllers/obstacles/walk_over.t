# A walk over the next obstacle without stopping: the steps before it are longer or shorter, so that a foot arrives at the right
# distance from its edge, and two steps cross it.
SCRIPTS walk_start.t, walk_over_step.t;
BEGINSCRIPT walk_over(void)
  PHASE 0
    TRANSITION to(fail).after(when edge_distance(pelvis, 2) - edge_distance(pelvis) < .5 and when edge_rise(pelvis) > .03 and when edge_rise(pelvis, 2) > .03);
    TRANSITION to(fail).after(when edge_distance(pelvis, 2) - edge_distance(pelvis) < .5 and when edge_rise(pelvis) < -.03 and when edge_rise(pelvis, 2) < -.03);
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 2
    TRANSITION to(7).after(when edge_distance(lFoot) > 5);  # the first step has crossed it
    TRANSITION to(7).after(when edge_distance(lFoot) < .593);
    TRANSITION to(5).after(when edge_distance(lFoot) < 1.37);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3  # towards the edge
    > walk_over_step();
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > walk_over_step().mirrored;
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 5  # to the edge, and possibly over it with the left foot
    > walk_over_step();
    TRANSITION to(6).after(complete);
  ENDPHASE
  PHASE 6
    > walk_over_step().mirrored;
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 7  # over it with the right foot
    > walk_over_step();
    TRANSITION to(8).after(complete);
  ENDPHASE
  PHASE 8
    > walk_over_step().mirrored;
    TRANSITION to(9).after(complete);
  ENDPHASE
  PHASE 9  # once more if the rear foot stands before the edge or across it
    TRANSITION to(7).after(when edge_distance(rFoot) < x(lFoot) - x(rFoot));
    TRANSITION to(7).after(when ground(x(rFoot)) - ground(x(rFoot) + .14) > .03);
    TRANSITION to(7).after(when ground(x(rFoot)) - ground(x(rFoot) + .14) < -.03);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
