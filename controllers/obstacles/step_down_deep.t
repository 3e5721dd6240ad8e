# Down from a high box: short steps to its edge if it is further away, one foot down, the other beside it.
SCRIPTS short_step.t, step_down_deep_at.t;
BEGINSCRIPT step_down_deep(void)
  PHASE 0
    TRANSITION to(2).after(when edge_distance(pelvis) > .45);
    TRANSITION to(1).after(when edge_distance(pelvis) > .19);
    TRANSITION to(4).after(when edge_distance(pelvis) > .12);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 1
    > short_step(edge_distance(lFoot) - .05);
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 2
    > short_step(.3);
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 3
    > step_down_deep_at();
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # the shortest possible step: the toes pass the edge
    > short_step(.1);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 5  # after a short step, the pelvis is ahead of the feet
    TRANSITION to(4).after(when edge_distance(pelvis) > .1 and when edge_distance(pelvis) < .12);
    TRANSITION to(0).after(complete);
  ENDPHASE
ENDSCRIPT
