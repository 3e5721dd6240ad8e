# Down a flight of stairs in the stride of the walk, one foot on each tread.
SCRIPTS walk_step.t, walk_start.t, walk_to_stairs_step.t, walk_step_longer.t, stair_down_from.t, stair_step_down.t, stair_down_last.t, stair_down_after.t;
BEGINSCRIPT walk_downstairs(void)
  PHASE 0
    TRANSITION to(fail).after(when edge_distance(pelvis, 2) - edge_distance(pelvis) > .5 or when edge_rise(pelvis) > -.03 or when edge_rise(pelvis, 2) > -.03);
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 2  # towards the first edge
    TRANSITION to(6).after(when edge_distance(lFoot) < .5);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > walk_to_stairs_step(.04, .885, 1.16, .25, .5 * slope(com_x), slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    TRANSITION to(8).after(when edge_distance(rFoot) < .5);
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 5
    > walk_to_stairs_step(.04, .885, 1.16, .25, .5 * slope(com_x), slope(com_x)).mirrored;
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 6  # the right foot on the first tread
    > stair_down_from(edge_after(x(lFoot) + edge_after(x(lFoot) - .1) - .09) + .01, ground(x(lFoot) + edge_after(x(lFoot) - .1) - .11) - ground(x(lFoot) + edge_after(x(lFoot) - .1) - .09));
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 8  # the left foot on the first tread
    > stair_down_from(edge_after(x(rFoot) + edge_after(x(rFoot) - .1) - .09) + .01, ground(x(rFoot) + edge_after(x(rFoot) - .1) - .11) - ground(x(rFoot) + edge_after(x(rFoot) - .1) - .09)).mirrored;
    TRANSITION to(9).after(complete);
  ENDPHASE
  PHASE 7
    TRANSITION to(12).after(when edge_after(x(rFoot) - .1) > .6);
    TRANSITION to(11).after(when edge_after(x(rFoot) + edge_after(x(rFoot) - .1) - .09) > .6);
    TRANSITION to(10).after(complete);
  ENDPHASE
  PHASE 10
    > stair_step_down(edge_after(x(rFoot) + edge_after(x(rFoot) - .1) - .09) + .01, ground(x(rFoot) + edge_after(x(rFoot) - .1) - .11) - ground(x(rFoot) + edge_after(x(rFoot) - .1) - .09)).mirrored;
    TRANSITION to(9).after(complete);
  ENDPHASE
  PHASE 11
    > stair_down_last(ground(x(rFoot) + edge_after(x(rFoot) - .1) - .11) - ground(x(rFoot) + edge_after(x(rFoot) - .1) - .09)).mirrored;
    TRANSITION to(9).after(complete);
  ENDPHASE
  PHASE 9
    TRANSITION to(15).after(when edge_after(x(lFoot) - .1) > .6);
    TRANSITION to(14).after(when edge_after(x(lFoot) + edge_after(x(lFoot) - .1) - .09) > .6);
    TRANSITION to(13).after(complete);
  ENDPHASE
  PHASE 13
    > stair_step_down(edge_after(x(lFoot) + edge_after(x(lFoot) - .1) - .09) + .01, ground(x(lFoot) + edge_after(x(lFoot) - .1) - .11) - ground(x(lFoot) + edge_after(x(lFoot) - .1) - .09));
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 14
    > stair_down_last(ground(x(lFoot) + edge_after(x(lFoot) - .1) - .11) - ground(x(lFoot) + edge_after(x(lFoot) - .1) - .09));
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 12  # the left foot from the last tread past the right one
    > stair_down_after().mirrored;
    TRANSITION to(17).after(complete);
  ENDPHASE
  PHASE 15
    > stair_down_after();
    TRANSITION to(16).after(complete);
  ENDPHASE
  PHASE 16
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(17).after(complete);
  ENDPHASE
  PHASE 17  # two more steps unless the speed is about that of the walk
    TRANSITION to(18).after(when com_vx > 1.3 or when com_vx < .9);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 18
    > walk_step(slope(com_x));
    TRANSITION to(19).after(complete);
  ENDPHASE
  PHASE 19
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
