# Over a narrow gap with both feet: steps until the toes are at its edge, then a jump. On slopes, all steps are short.
SCRIPTS approach.t, short_step.t, long_hop.t;
BEGINSCRIPT hop_over(void)
  PHASE 0
    TRANSITION to(4).after(when edge_distance(lFoot) > .54 and when slope(com_x) < .01 and when slope(com_x) > -.01);
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
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 4  # longer steps without a stop
    > approach(.25, .1);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 5
    > long_hop();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
