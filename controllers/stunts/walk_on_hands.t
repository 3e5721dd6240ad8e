# Two steps on the hands, the right one first.
SCRIPTS walk_on_hands_step.t;
BEGINSCRIPT walk_on_hands(void)
  PHASE 0
    > walk_on_hands_step();
    TRANSITION to(fail).after(not anglerange 2.3 -2.3);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > walk_on_hands_step().mirrored;
    TRANSITION to(fail).after(not anglerange 2.3 -2.3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
