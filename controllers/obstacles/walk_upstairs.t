# Up a flight of stairs in the stride of the walk, one foot on each tread.
SCRIPTS walk_step.t, walk_start.t, walk_to_stairs_step.t, stair_onto.t, stair_step_up.t, stair_up_after.t;
BEGINSCRIPT walk_upstairs(void)
  PHASE 0
    TRANSITION to(fail).after(when edge_distance(pelvis, 2) - edge_distance(pelvis) > .5 or when edge_rise(pelvis) < .03 or when edge_rise(pelvis, 2) < .03);
    TRANSITION to(2).after(when com_vx > .3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_start(slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 2  # towards the first edge
    TRANSITION to(6).after(when edge_distance(lFoot) < 0.64);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > walk_to_stairs_step(.3, .985, 1.1, .42, .1 + .5 * slope(com_x), slope(com_x));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    TRANSITION to(11).after(when edge_distance(rFoot) < 0.64);
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 5
    > walk_to_stairs_step(.3, .985, 1.1, .42, .1 + .5 * slope(com_x), slope(com_x)).mirrored;
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 6  # the right foot on the first tread
    > stair_onto(edge_distance(lFoot, 2) - edge_distance(lFoot), (edge_rise(lFoot) - 0.12) * (edge_rise(lFoot) - 0.17));
    TRANSITION to(17).after(complete);
  ENDPHASE
  PHASE 7
    TRANSITION to(9).after(when edge_distance(rFoot) > .593);
    TRANSITION to(10).after(when edge_distance(rFoot, 2) > 1);
    TRANSITION to(8).after(complete);
  ENDPHASE
  PHASE 8  # the left foot on the next one
    > stair_step_up(edge_distance(rFoot, 2) - edge_distance(rFoot), 0, (edge_rise(rFoot) - 0.12) * (edge_rise(rFoot) - 0.17)).mirrored;
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 10  # on the last one
    > stair_step_up(.33, 0, (edge_rise(rFoot) - 0.12) * (edge_rise(rFoot) - 0.17)).mirrored;
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 9  # or beyond the last one
    > stair_up_after(ground(x(rFoot)) - ground(x(rFoot) - .4)).mirrored;
    TRANSITION to(21).after(complete);
  ENDPHASE
  PHASE 11  # the left foot on the first tread
    > stair_onto(edge_distance(rFoot, 2) - edge_distance(rFoot), (edge_rise(rFoot) - 0.12) * (edge_rise(rFoot) - 0.17)).mirrored;
    TRANSITION to(19).after(complete);
  ENDPHASE
  PHASE 12
    TRANSITION to(14).after(when edge_distance(lFoot) > .593);
    TRANSITION to(16).after(when edge_distance(lFoot, 2) > 1);
    TRANSITION to(13).after(complete);
  ENDPHASE
  PHASE 13  # the right foot on the next one
    > stair_step_up(edge_distance(lFoot, 2) - edge_distance(lFoot), 0, (edge_rise(lFoot) - 0.12) * (edge_rise(lFoot) - 0.17));
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 16  # on the last one
    > stair_step_up(.33, 0, (edge_rise(lFoot) - 0.12) * (edge_rise(lFoot) - 0.17));
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 14  # or beyond the last one
    > stair_up_after(ground(x(lFoot)) - ground(x(lFoot) - .4));
    TRANSITION to(15).after(complete);
  ENDPHASE
  PHASE 15
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(21).after(complete);
  ENDPHASE
  PHASE 17  # from the floor onto the second of deep treads, the foot low so that it does not reach the third
    TRANSITION to(18).after(when edge_distance(rFoot, 2) - edge_distance(rFoot) > .345 and when edge_distance(rFoot, 2) < 1);
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 18
    > stair_step_up(.33, .15, (edge_rise(rFoot) - 0.12) * (edge_rise(rFoot) - 0.17)).mirrored;
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 19
    TRANSITION to(20).after(when edge_distance(lFoot, 2) - edge_distance(lFoot) > .345 and when edge_distance(lFoot, 2) < 1);
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 20
    > stair_step_up(.33, .15, (edge_rise(lFoot) - 0.12) * (edge_rise(lFoot) - 0.17));
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 21  # two steps on level ground, if there is room, until it walks as usual
    TRANSITION to(22).after(when edge_distance(lFoot) > 2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 22
    > walk_step(slope(com_x));
    TRANSITION to(23).after(complete);
  ENDPHASE
  PHASE 23
    > walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
