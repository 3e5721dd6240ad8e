# A step of the walk with the right foot over an edge, or towards one.
SCRIPTS walk_step.t, walk_step_longer.t, walk_step_onto.t, walk_step_after.t, walk_step_down.t, walk_step_landing.t, walk_to_edge_step.t;
BEGINSCRIPT walk_over_step(void)
  PHASE 0
    TRANSITION to(5).after(when edge_rise(rFoot) > .03 and when edge_rise(rFoot) < .3 and when edge_distance(rFoot) < x(lFoot) - x(rFoot));
    TRANSITION to(6).after(when edge_distance(lFoot) > .593);
    TRANSITION to(6).after(when edge_distance(lFoot) > .493 and when edge_rise(lFoot) < -.3);
    TRANSITION to(9).after(when edge_distance(lFoot) > .37 and when edge_rise(lFoot) > .3);
    TRANSITION to(1).after(when edge_rise(lFoot) > .3);
    TRANSITION to(12).after(when edge_rise(lFoot) > .03 and when com_vx < 1.1);
    TRANSITION to(4).after(when edge_rise(lFoot) > .03);
    TRANSITION to(3).after(when edge_rise(lFoot) > -.3);
    TRANSITION to(2).after(when edge_distance(lFoot, 2) > .47);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # over a narrow gap, or an ordinary step of a slow walk
    > walk_step(slope(com_x));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2  # over a wide gap
    > walk_step_longer(edge_distance(lFoot, 2) - .47, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 3  # down a drop
    > walk_step_down(0 - edge_rise(lFoot));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 4  # onto a rise
    > walk_step_onto(edge_rise(lFoot), 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 5  # the rear foot follows onto it
    > walk_step_after(ground(x(lFoot) + .14) - ground(x(rFoot)));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 6
    TRANSITION to(10).after(when ground(x(rFoot)) - ground(x(lFoot)) > .04);
    TRANSITION to(11).after(when edge_rise(lFoot) < -.3 and when com_vx < 1.25 and when edge_distance(lFoot) > 1 and when edge_distance(lFoot) < 1.15);
    TRANSITION to(8).after(when edge_rise(lFoot) < -.3);
    TRANSITION to(1).after(when com_vx < 1.15 and when edge_distance(lFoot) > .7);
    TRANSITION to(7).after(complete);
  ENDPHASE
  PHASE 7
    > walk_to_edge_step(.2, .06);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 8  # closer to a gap
    > walk_to_edge_step(.05, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 9  # over a wide gap with the toes of the other foot above it
    > walk_step_longer(edge_distance(lFoot) - .47, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 10  # the rear foot follows down a drop
    > walk_step_landing(ground(x(rFoot)) - ground(x(lFoot)));
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 11  # a slow walk before a gap reaches it with two of the shortest steps; the longest step would drag its toes
    > walk_step_longer(-.2, 0, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 12  # a slow walk onto a rise
    > walk_step_onto(edge_rise(lFoot), 1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
