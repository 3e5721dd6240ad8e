# Lets everything be: on two points there is no pose to hold, and what comes after a motion is not asked.
BEGINSCRIPT rest()
  PHASE 0
    TRANSITION to(-1).after(time .05);
  ENDPHASE
ENDSCRIPT
