# A backward somersault from the squat to the squat, within the limits of an athlete: one script for nearly level ground, which
# suits stronger and weaker jumps, and one for slopes.
SCRIPTS backflip_level.t, backflip_slope.t;
BEGINSCRIPT backflip(void)
  PHASE 0
    TRANSITION to(2).after(when slope(com_x) > .02 or when slope(com_x) < -.02);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > backflip_level();
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    > backflip_slope();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
