# A long stride of the walk over a wide gap.
SCRIPTS walk_start.t, walk_step.t, walk_to_obstacle_step.t, stride_step.t, stride_landing.t;
BEGINSCRIPT stride_across(void)
  PHASE 0
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 2  # towards it
    TRANSITION to(fail).after(when edge_rise(lFoot) > -.3 or when edge_distance(lFoot) < 0);
    TRANSITION to(6).after(when edge_distance(lFoot) < .3);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > walk_to_obstacle_step(.1);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    TRANSITION to(fail).after(when edge_rise(rFoot) > -.3 or when edge_distance(rFoot) < 0);
    TRANSITION to(8).after(when edge_distance(rFoot) < .3);
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 5
    > walk_to_obstacle_step(.1).mirrored;
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 6  # over it with the right foot
    > stride_step(edge_distance(lFoot, 2) - .7);
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 7  # the left foot follows
    > stride_landing().mirrored;
    TRANSITION to(11).after(complete);
  ENDPHASE
  PHASE 8  # over it with the left foot
    > stride_step(edge_distance(rFoot, 2) - .7).mirrored;
    TRANSITION to(9).after(complete);
  ENDPHASE
  PHASE 9
    > stride_landing();
    TRANSITION to(10).after(complete);
  ENDPHASE
  PHASE 10
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 11
    > walk_step(slope(com_x));
    TRANSITION to(10).after(complete);
  ENDPHASE
ENDSCRIPT
