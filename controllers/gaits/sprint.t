# A sprint at 7 m/s with two strides per second, entered from the run; within the limits of an athlete.
SCRIPTS sprint_step.t;
BEGINSCRIPT sprint(void)
  PHASE 0
    > sprint_step(slope(com_x));
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > sprint_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
