# A burpee: from the stand into a squat, the hands to the floor, the legs thrown back into the plank and drawn in again, then a jump.
SCRIPTS burpee_down.t, burpee_up.t, jump.t, rise.t, squat.t;
BEGINSCRIPT burpee(void)
  PHASE 0
    > burpee_down();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > burpee_up();
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # rise from the squat and jump
    > squat(1);
    TRANSITION to(3).after(time 1 and stable .1 or time 4);
  ENDPHASE
  PHASE 3
    > rise(1);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > jump();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
