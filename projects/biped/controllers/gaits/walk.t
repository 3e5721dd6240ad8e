# One cycle (two steps) of a walk of about 0.75 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk(void)
  PHASE 0
    > simbicon.t(0.184, -0.441, 0.134, 0.206, -0.354, 0.163, -0.312, 0.377, 1.326, 0.031, 0.032, 0.177, -0.2, 0.449);
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
