# Running, about 3 m/s (a jog). Above 4.5 m/s, as after a sprint, it takes braking steps first; from a stand on ground
# that rises by at most 3.4 degrees, the first step is that of the walk.
SCRIPTS run_step.t, run_brake_step.t, walk_start.t;
BEGINSCRIPT run(void)
  PHASE 0
    > run_step(slope(com_x));
    TRANSITION to(2).after(when com_vx > 4.5 and when phase_time < 0.009);
    TRANSITION to(4).after(when com_vx < .3 and when com_height > .9 and when slope(com_x) < .06 and when phase_time < 0.009);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > run_step(slope(com_x)).mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    > run_brake_step();
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    > run_brake_step().mirrored;
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 4
    > walk_start(slope(com_x));
    TRANSITION to(1).after(complete);
  ENDPHASE
ENDSCRIPT
