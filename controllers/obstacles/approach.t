# To the next edge: steps of 0.1 to 0.4 m with the feet in turn until the toes of one are about m (m) before it, the other foot
# beside it. It ends when the body is nearly at rest, at least settle (s) after the feet are side by side.
SCRIPTS approach_step.t, foot_close.t;
BEGINSCRIPT approach(m, settle)
  PHASE 0  # from a stand
    TRANSITION to(1).after(when edge_distance(lFoot) - m > .76);
    TRANSITION to(2).after(when edge_distance(lFoot) - m > .4);
    TRANSITION to(3).after(when edge_distance(lFoot) - m > .1);
    TRANSITION to(14).after(complete);
  ENDPHASE
  PHASE 1
    > approach_step(0, .3);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 2
    > approach_step(0, (edge_distance(lFoot) - m) / 2);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 3
    > approach_step(0, edge_distance(lFoot) - m);
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 4  # the right foot is in front
    TRANSITION to(5).after(when edge_distance(rFoot) - m > .76);
    TRANSITION to(6).after(when edge_distance(rFoot) - m > .4);
    TRANSITION to(7).after(when edge_distance(rFoot) - m > .1);
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 5
    > approach_step(.33, .4).mirrored;
    TRANSITION to(8).after(complete);
  ENDPHASE
  PHASE 6
    > approach_step(.3, (edge_distance(rFoot) - m) / 2).mirrored;
    TRANSITION to(8).after(complete);
  ENDPHASE
  PHASE 7
    > approach_step(.3, edge_distance(rFoot) - m).mirrored;
    TRANSITION to(13).after(complete);
  ENDPHASE
  PHASE 8  # the left foot is in front
    TRANSITION to(9).after(when edge_distance(lFoot) - m > .76);
    TRANSITION to(10).after(when edge_distance(lFoot) - m > .4);
    TRANSITION to(11).after(when edge_distance(lFoot) - m > .1);
    TRANSITION to(13).after(complete);
  ENDPHASE
  PHASE 9
    > approach_step(.33, .4);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 10
    > approach_step(.3, (edge_distance(lFoot) - m) / 2);
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 11
    > approach_step(.3, edge_distance(lFoot) - m);
    TRANSITION to(12).after(complete);
  ENDPHASE
  PHASE 12
    > foot_close(settle);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 13
    > foot_close(settle).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 14  # the shortest possible step
    > approach_step(0, .1);
    TRANSITION to(12).after(complete);
  ENDPHASE
ENDSCRIPT
