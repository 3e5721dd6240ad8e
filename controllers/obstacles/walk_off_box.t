# Down from a high box in the stride of the walk.
SCRIPTS walk_start.t, walk_step.t, walk_to_edge_step.t, box_step_down.t, box_landing.t;
BEGINSCRIPT walk_off_box(void)
  PHASE 0
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 2  # towards it
    TRANSITION to(fail).after(when edge_rise(lFoot) > -.03 or when edge_distance(lFoot) > 5);
    TRANSITION to(6).after(when edge_distance(lFoot) < .45);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > walk_to_edge_step(.15, 0);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    TRANSITION to(fail).after(when edge_rise(rFoot) > -.03 or when edge_distance(rFoot) > 5);
    TRANSITION to(8).after(when edge_distance(rFoot) < .45);
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 5
    > walk_to_edge_step(.15, 0).mirrored;
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 6  # over it with the right foot
    > box_step_down(0 - edge_rise(lFoot) - .25);
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 7  # the left foot follows
    > box_landing().mirrored;
    TRANSITION to(11).after(complete);
  ENDPHASE
  PHASE 8  # over it with the left foot
    > box_step_down(0 - edge_rise(lFoot) - .25).mirrored;
    TRANSITION to(9).after(complete);
  ENDPHASE
  PHASE 9
    > box_landing();
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
