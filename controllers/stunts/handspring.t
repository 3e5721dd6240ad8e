# A forward handspring from the stand to the squat. Feet that are apart are brought together first; then two steps, the hands to the
# floor and over them through the air, starting with the rear leg.
SCRIPTS handspring_over.t, single_step.t, stand.t;
BEGINSCRIPT handspring(void)
  PHASE 0
    TRANSITION to(3).after(when x(rFoot) - x(lFoot) > .03 or when x(lFoot) - x(rFoot) > .03);
    TRANSITION to(2).after(when x(rFoot) > x(lFoot) + .012);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > handspring_over();
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    > handspring_over().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # bring feet together that are far apart
    > single_step();
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > stand(.3, .3);
    TRANSITION to(2).after(when x(rFoot) > x(lFoot) + .012 and complete);
    TRANSITION to(1).after(complete);
  ENDPHASE
ENDSCRIPT
