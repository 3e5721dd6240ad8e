# A walk over the next obstacle: the steps before it are longer or shorter, so that a foot arrives at the right distance.
SCRIPTS walk_start.t, walk_over_step.t;
BEGINSCRIPT walk_over(void)
  PHASE 0
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 2  # towards the edge
    TRANSITION to(5).after(when edge_distance(lFoot) < 1.4);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > walk_over_step();
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > walk_over_step().mirrored;
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 5  # over it, until both feet are behind the last edge
    > walk_over_step();
    TRANSITION to(6).after(complete);
  ENDPHASE
  PHASE 6
    > walk_over_step().mirrored;
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 7
    TRANSITION to(-1).after(when edge_distance(bFoot) > .9);
    TRANSITION to(5).after(complete);
  ENDPHASE
ENDSCRIPT
