# Straightens the legs at once: from a stand there is little to straighten, from a squat it is a jump.
SCRIPTS straighten.t;
BEGINSCRIPT spring(void)
  PHASE 0
    > straighten.t(0.12 <0.05, 1>);   # in so many seconds
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
