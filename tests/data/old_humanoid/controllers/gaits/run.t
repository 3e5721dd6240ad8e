# One cycle (two steps) of a run of about 1.5 m/s, half of it in flight.
SCRIPTS simbicon_two_phase.t;
SET TORQUELIMIT = 370
BEGINSCRIPT run(void)
  PHASE 0
    > simbicon_two_phase.t(.2, 0, 0, -.2, -.2, .14, -1.08, 2.18, .05, -.2, -.27);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
