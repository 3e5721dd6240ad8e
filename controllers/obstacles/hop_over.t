# Over a narrow gap with both feet: short steps until the toes are at its edge, then a jump.
SCRIPTS short_step.t, long_hop.t;
BEGINSCRIPT hop_over(void)
  PHASE 0
    TRANSITION to(1).after(when edge_distance(lFoot) > .54);
    TRANSITION to(2).after(when edge_distance(lFoot) > .4);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 1
    > short_step(.3);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 2
    > short_step(.15);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3  # the step is 20 % longer than its argument, plus 0.02 m
    > short_step((edge_distance(lFoot) - .04) / 1.2);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > long_hop();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
