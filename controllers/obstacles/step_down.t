# Down from a box or a stair: steps to its edge if it is further away, one foot down, the other beside it.
SCRIPTS approach.t, step_down_at.t;
BEGINSCRIPT step_down(void)
  PHASE 0
    TRANSITION to(1).after(when edge_distance(pelvis) > .19);
    TRANSITION to(2).after(when edge_distance(pelvis) > .12 and when edge_rise(pelvis) < -.118);
    TRANSITION to(1).after(when edge_distance(pelvis) > .12);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 1
    > approach(.03, .4);
    TRANSITION to(2).after(complete and when edge_distance(pelvis) > .12 and when edge_rise(pelvis) < -.118);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 2  # down a deep drop from further away
    > step_down_at(edge_distance(pelvis) - .12);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3
    > step_down_at(0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
