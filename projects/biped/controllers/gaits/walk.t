# One cycle (two steps) of a walk of about 0.85 m/s.
SCRIPTS simbicon.t;
BEGINSCRIPT walk(void)
  PHASE 0
    > simbicon.t(0.1609, -0.4066, 0.1277, 0.1744, -0.3641, 0.1118, -0.1744, 0.4199, 1.393, -0.0009172, 0.08797, 0.1217, -0.1773, 0.4962);
    TRANSITION to(-1).after(fallen x 0.8192);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
