# A step of the walk with the right foot towards stairs. Its length brings a foot to `near` (m) before the first edge after this
# step or after up to three more, with short steps where possible. Distances of up to `last` (m) beyond `near` need one step. Distances
# between `last` and `rest` (m) beyond `near` are too short for two steps, so one step brings a foot to `left` (m) before the edge. Steps after a start
# from the stand are ordinary ones, since the walk must be at its speed before it can be shortened. `upright` and
# `slope` as in walk_step_longer. On an ascent of `slope`, steps towards the edge are shorter than asked for, so more is asked for.
SCRIPTS walk_step_longer.t;
BEGINSCRIPT walk_to_stairs_step(near, last, rest, left, upright, slope)
  PHASE 0
    TRANSITION to(1).after(when com_vx < .85 and when edge_distance(lFoot) > near + 1.2);
    TRANSITION to(2).after(when edge_distance(lFoot) < near + .585);
    TRANSITION to(3).after(when edge_distance(lFoot) < near + last);
    TRANSITION to(7).after(when edge_distance(lFoot) < near + rest);
    TRANSITION to(4).after(when edge_distance(lFoot) < near + 1.755);
    TRANSITION to(5).after(when edge_distance(lFoot) < near + 2.34);
    TRANSITION to(6).after(when edge_distance(lFoot) < near + 3.14);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # a step of the usual length
    > walk_step_longer(0, upright, slope);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2  # the shortest step
    > walk_step_longer(-.2, upright, slope);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # one step to the edge
    > walk_step_longer(edge_distance(lFoot) - near - .785 + slope * (2.7 + 30 * slope), upright, slope);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 7  # a step to `left` before the edge
    > walk_step_longer(edge_distance(lFoot) - left - .785 + slope * (2.7 + 30 * slope), upright, slope);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # the first of two
    > walk_step_longer((edge_distance(lFoot) - near) / 2 - .785 + slope * (2.7 + 30 * slope), upright, slope);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 5  # the first of three
    > walk_step_longer((edge_distance(lFoot) - near) / 3 - .785 + slope * (2.7 + 30 * slope), upright, slope);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 6  # the first of four
    > walk_step_longer((edge_distance(lFoot) - near) / 4 - .785 + slope * (2.7 + 30 * slope), upright, slope);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
