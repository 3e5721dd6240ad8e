# A forward walkover from the stand to the stand: where the feet stand apart, a step brings them together first; then two steps,
# the hands to the floor, and the legs pass over one after the other, led by the one that stands behind.
SCRIPTS walkover_over.t, single_step.t, stand.t;
BEGINSCRIPT walkover(void)
  PHASE 0
    TRANSITION to(3).after(when x(rFoot) - x(lFoot) > .03 or when x(lFoot) - x(rFoot) > .03);
    TRANSITION to(2).after(when x(rFoot) > x(lFoot) + .012);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walkover_over();
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    > walkover_over().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # feet that stand far apart are brought together first
    > single_step();
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > stand(.3, .3);
    TRANSITION to(2).after(when x(rFoot) > x(lFoot) + .012 and complete);
    TRANSITION to(1).after(complete);
  ENDPHASE
ENDSCRIPT
