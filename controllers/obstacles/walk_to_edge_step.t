# A step of the walk with the right foot towards the next edge. Its length brings a foot to `near` (m) before the edge after this
# step or after up to three more, with short steps where possible. `upright` as in walk_step_longer.
SCRIPTS walk_step.t, walk_step_longer.t;
BEGINSCRIPT walk_to_edge_step(near, upright)
  PHASE 0
    TRANSITION to(7).after(when com_vx < 1 and when edge_distance(lFoot) > near + .5);
    TRANSITION to(2).after(when edge_distance(lFoot) < near + .585);
    TRANSITION to(3).after(when edge_distance(lFoot) < near + .985);
    TRANSITION to(8).after(when edge_distance(lFoot) < 1.15);
    TRANSITION to(2).after(when edge_distance(lFoot) < near + 1.17);
    TRANSITION to(4).after(when edge_distance(lFoot) < near + 1.755);
    TRANSITION to(5).after(when edge_distance(lFoot) < near + 2.34);
    TRANSITION to(6).after(when edge_distance(lFoot) < near + 3.14);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # a step of the usual length
    > walk_step_longer(0, upright, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2  # the shortest step
    > walk_step_longer(-.2, upright, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # one step to the edge
    > walk_step_longer(edge_distance(lFoot) - near - .785, upright, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # the first of two
    > walk_step_longer((edge_distance(lFoot) - near) / 2 - .785, upright, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 5  # the first of three
    > walk_step_longer((edge_distance(lFoot) - near) / 3 - .785, upright, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 6  # the first of four
    > walk_step_longer((edge_distance(lFoot) - near) / 4 - .785, upright, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 8  # the longest step
    > walk_step_longer(.2, upright, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 7  # an ordinary step of a slow walk, such as after a start from the stand
    > walk_step(slope(com_x));
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
