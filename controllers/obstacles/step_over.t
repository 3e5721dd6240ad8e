# Over a gap: steps to its edge if it is further away, a long step over it, the other foot beside it.
SCRIPTS approach.t, long_step.t;
BEGINSCRIPT step_over(void)
  PHASE 0
    TRANSITION to(1).after(when edge_distance(lFoot) > .26);
    TRANSITION to(5).after(when edge_distance(lFoot) > .2);
    TRANSITION to(4).after(when edge_distance(lFoot, 2) - edge_distance(lFoot) < .3);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 1
    > approach(.13, .4);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 3
    > long_step(edge_distance(lFoot, 2) + .27);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # a narrow gap: step further than necessary
    > long_step(edge_distance(lFoot) + .56);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 5  # the shortest possible step
    > approach(edge_distance(lFoot) - .14, .3);
    TRANSITION to(0).after(complete);
  ENDPHASE
ENDSCRIPT
