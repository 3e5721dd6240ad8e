# Down from a high box: steps to its edge if it is further away, one foot down, the other beside it.
SCRIPTS approach.t, step_down_deep_at.t;
BEGINSCRIPT step_down_deep(void)
  PHASE 0
    TRANSITION to(1).after(when edge_distance(pelvis) > .17);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 1
    > approach(.06, .6);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2
    > step_down_deep_at();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
