# Called with an extension, and not with its own.
BEGINSCRIPT step(dt)
  PHASE 07
    TRANSITION to(-1).after(time dt);
  ENDPHASE
ENDSCRIPT
