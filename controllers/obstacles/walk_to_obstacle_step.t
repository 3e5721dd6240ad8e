# A step of the walk with the right foot towards an obstacle. Its length brings a foot to `near` (m) before the edge after this
# step or after up to five more, with steps of about the usual length, so that the walk keeps its speed.
SCRIPTS walk_step.t, walk_step_longer.t;
BEGINSCRIPT walk_to_obstacle_step(near)
  PHASE 0
    TRANSITION to(1).after(when com_vx < .7 and when edge_distance(lFoot) > near + 1.3);
    TRANSITION to(2).after(when edge_distance(lFoot) < near + 1);
    TRANSITION to(3).after(when edge_distance(lFoot) < near + 1.96);
    TRANSITION to(4).after(when edge_distance(lFoot) < near + 2.75);
    TRANSITION to(5).after(when edge_distance(lFoot) < near + 3.53);
    TRANSITION to(6).after(when edge_distance(lFoot) < near + 4.3);
    TRANSITION to(7).after(when edge_distance(lFoot) < near + 5.1);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # an ordinary step
    > walk_step(slope(com_x));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2  # one step to the edge
    > walk_step_longer(edge_distance(lFoot) - near - .785, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # the first of two
    > walk_step_longer((edge_distance(lFoot) - near) / 2 - .785, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # the first of three
    > walk_step_longer((edge_distance(lFoot) - near) / 3 - .785, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 5  # the first of four
    > walk_step_longer((edge_distance(lFoot) - near) / 4 - .785, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 6  # the first of five
    > walk_step_longer((edge_distance(lFoot) - near) / 5 - .785, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 7  # the first of six
    > walk_step_longer((edge_distance(lFoot) - near) / 6 - .785, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
