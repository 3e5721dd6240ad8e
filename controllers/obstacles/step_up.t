# Up onto a box or a stair: steps to its edge if it is further away, one foot up, the other beside it.
SCRIPTS approach.t, step_up_at.t;
BEGINSCRIPT step_up(void)
  PHASE 0
    TRANSITION to(1).after(when edge_distance(lFoot) > .24);
    TRANSITION to(4).after(when edge_distance(lFoot, 2) - edge_distance(lFoot) < .4);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 1
    > approach(.08, .1);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 3
    > step_up_at(.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # a tread that is just long enough for the foot
    > step_up_at(edge_distance(lFoot, 2) - edge_distance(lFoot) - .2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
