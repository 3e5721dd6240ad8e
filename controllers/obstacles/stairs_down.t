# Slowly down a flight of stairs, one foot on each tread: steps to the first edge if it is further away, a stand at the end.
# The first tread is at most 0.455 m deep; the flight ends on the first later tread that is deeper than about 0.5 m. A foot lands
# with its middle 0.165 m beyond an edge.
SCRIPTS approach.t, stairs_down_first.t, stairs_down_step.t, stairs_down_last.t;
BEGINSCRIPT stairs_down(void)
  PHASE 0
    TRANSITION to(fail).after(when edge_rise(pelvis) > -.03 or when edge_rise(pelvis, 2) > -.03 or when edge_distance(pelvis, 2) - edge_distance(pelvis) > .455);
    TRANSITION to(1).after(when edge_distance(pelvis) > .115);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 1
    > approach(.03, .1);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # the right foot on the first tread
    > stairs_down_first(edge_after(x(lFoot)) + .165, ground(x(lFoot) + edge_after(x(lFoot)) - .02) - ground(x(lFoot) + edge_after(x(lFoot)) + .02));
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3  # the left foot from the floor onto the second one
    > stairs_down_step(.335, edge_after(x(rFoot)) + .165, ground(x(rFoot) - .335) - ground(x(rFoot)), ground(x(rFoot) + edge_after(x(rFoot)) - .02) - ground(x(rFoot) + edge_after(x(rFoot)) + .02)).mirrored;
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 4  # the right foot is in front
    TRANSITION to(6).after(when edge_after(x(rFoot)) > .34);
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 5  # the left foot on the next tread
    > stairs_down_step(edge_after(x(rFoot)) + .165, edge_after(x(rFoot)) + .165, ground(x(rFoot) - .335) - ground(x(rFoot)), ground(x(rFoot) + edge_after(x(rFoot)) - .02) - ground(x(rFoot) + edge_after(x(rFoot)) + .02)).mirrored;
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 6  # beside the right one
    > stairs_down_last(.46 - edge_after(x(rFoot) - .625), ground(x(rFoot) - .335) - ground(x(rFoot))).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 7  # the left foot is in front
    TRANSITION to(9).after(when edge_after(x(lFoot)) > .34);
    TRANSITION to(8).after(complete);
  ENDPHASE
  PHASE 8  # the right foot on the next tread
    > stairs_down_step(edge_after(x(lFoot)) + .165, edge_after(x(lFoot)) + .165, ground(x(lFoot) - .335) - ground(x(lFoot)), ground(x(lFoot) + edge_after(x(lFoot)) - .02) - ground(x(lFoot) + edge_after(x(lFoot)) + .02));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 9  # beside the left one
    > stairs_down_last(.46 - edge_after(x(lFoot) - .625), ground(x(lFoot) - .335) - ground(x(lFoot)));
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
