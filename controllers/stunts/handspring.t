# A forward handspring from the stand to the squat. The feet are put together first; then two steps, the hands to the floor
# and over them through the air, starting with the rear leg.
SCRIPTS handspring_over.t, feet_together.t;
BEGINSCRIPT handspring(void)
  PHASE 0
    > feet_together();
    TRANSITION to(2).after(when x(rFoot) > x(lFoot) + .004 and complete);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > handspring_over(slope(com_x));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    > handspring_over(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
