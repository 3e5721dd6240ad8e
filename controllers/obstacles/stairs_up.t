# Slowly up a flight of stairs, one foot on each tread: steps to the first edge if it is further away, a stand at the end. The flight
# ends before a tread that is deeper than about 0.45 m.
SCRIPTS approach.t, stairs_up_first.t, stairs_up_step.t, stairs_up_last.t;
BEGINSCRIPT stairs_up(void)
  PHASE 0
    TRANSITION to(fail).after(when edge_rise(lFoot) < .03 or when edge_rise(lFoot, 2) < .03 or when edge_distance(lFoot, 2) - edge_distance(lFoot) > .385);
    TRANSITION to(1).after(when edge_distance(lFoot) > .24);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 1
    > approach(.08, .1);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # the right foot on the first tread
    > stairs_up_first(.07 + .4 * edge_distance(lFoot) + .6 * edge_distance(lFoot, 2), edge_rise(lFoot));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3  # the right foot is in front
    TRANSITION to(5).after(when edge_after(x(rFoot)) > .34);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4  # the left foot on the next tread
    > stairs_up_step(edge_after(x(rFoot)) + .3 - edge_after(x(rFoot) - .3), .11 + 1.6 * edge_after(x(rFoot)) - .6 * edge_after(x(rFoot) - .3), edge_rise(rFoot)).mirrored;
    TRANSITION to(6).after(complete);
  ENDPHASE
  PHASE 5  # beside the right one on the last one
    > stairs_up_last(.62 - 1.67 * edge_after(x(rFoot) - .3), ground(x(rFoot)) - ground(x(rFoot) - .35)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 6  # the left foot is in front
    TRANSITION to(8).after(when edge_after(x(lFoot)) > .34);
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 7  # the right foot on the next tread
    > stairs_up_step(edge_after(x(lFoot)) + .3 - edge_after(x(lFoot) - .3), .11 + 1.6 * edge_after(x(lFoot)) - .6 * edge_after(x(lFoot) - .3), edge_rise(lFoot));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 8  # beside the left one on the last one
    > stairs_up_last(.62 - 1.67 * edge_after(x(lFoot) - .3), ground(x(lFoot)) - ground(x(lFoot) - .35));
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
