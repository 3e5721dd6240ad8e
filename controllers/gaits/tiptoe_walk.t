# Walking on the toes, about 0.9 m/s.
SCRIPTS tiptoe_walk_step.t;
BEGINSCRIPT tiptoe_walk(void)
  PHASE 0
    > tiptoe_walk_step(slope(com_x));
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > tiptoe_walk_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
