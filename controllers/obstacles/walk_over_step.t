# A step of the walk with the right foot. Before an edge its length brings a foot to about 0.2 m before the edge; the next step
# crosses it.
SCRIPTS walk_step.t, walk_step_longer.t, walk_step_onto.t, walk_step_after.t, walk_step_down.t;
BEGINSCRIPT walk_over_step(void)
  PHASE 0
    TRANSITION to(8).after(when edge_rise(rFoot) > .03 and when edge_rise(rFoot) < .3 and when edge_distance(rFoot) < x(lFoot) - x(rFoot));
    TRANSITION to(7).after(when edge_distance(lFoot) < .593 and when edge_rise(lFoot) > .03);
    TRANSITION to(6).after(when edge_distance(lFoot) < .593 and when edge_rise(lFoot) < -.3 and when edge_distance(lFoot, 2) > .47);
    TRANSITION to(9).after(when edge_distance(lFoot) < .593 and when edge_rise(lFoot) > -.3);
    TRANSITION to(1).after(when edge_distance(lFoot) < .593);
    TRANSITION to(2).after(when edge_distance(lFoot) < .785);
    TRANSITION to(3).after(when edge_distance(lFoot) < 1.185);
    TRANSITION to(2).after(when edge_distance(lFoot) < 1.37);
    TRANSITION to(4).after(when edge_distance(lFoot) < 2.1);
    TRANSITION to(5).after(when edge_distance(lFoot) < 2.9);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # an ordinary step
    > walk_step(slope(com_x));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2  # the shortest step
    > walk_step_longer(-.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # one step to the edge
    > walk_step_longer(edge_distance(lFoot) - .985);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # the first of two
    > walk_step_longer((edge_distance(lFoot) - .2) / 2 - .785);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 5  # the first of three
    > walk_step_longer((edge_distance(lFoot) - .2) / 3 - .785);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 6  # over a wide gap
    > walk_step_longer(edge_distance(lFoot, 2) - .47);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 7  # onto a rise
    > walk_step_onto(edge_rise(lFoot));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 8  # the rear foot follows onto it
    > walk_step_after(edge_rise(rFoot));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 9  # down a drop
    > walk_step_down(0 - edge_rise(lFoot));
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
