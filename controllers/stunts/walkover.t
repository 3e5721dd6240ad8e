# A forward walkover from the stand to the stand. A walk is stopped first, and feet that are apart are brought together; then two
# steps, the hands to the floor, and the legs pass over one after the other, starting with the rear leg.
SCRIPTS walkover_over.t, walk_to_stop.t, feet_together.t, stand.t;
BEGINSCRIPT walkover(void)
  PHASE 0
    TRANSITION to(6).after(when com_vx > .4 and when x(rFoot) > x(lFoot));
    TRANSITION to(5).after(when com_vx > .4);
    TRANSITION to(3).after(when x(rFoot) - x(lFoot) > .02 or when x(lFoot) - x(rFoot) > .02);
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
  PHASE 3  # bring feet together that are far apart
    > feet_together();
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4
    > stand(.5, .5);
    TRANSITION to(2).after(when x(rFoot) > x(lFoot) + .012 and complete);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 5  # out of a walk, the right foot behind
    > walk_to_stop();
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 6
    > walk_to_stop().mirrored;
    TRANSITION to(3).after(complete);
  ENDPHASE
ENDSCRIPT
