# From standing on both points to the first step: it cannot stand, so it falls forward, and the right leg reaches ahead.
# Argument: dt, how long the leg swings before it comes down (s).
BEGINSCRIPT launch(dt)
  PHASE 0  # the right leg is taken off the ground
    ACTIONS
      POSE rHip(-.6), rKnee(.8), lHip(0), lKnee(.05);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time dt);
  ENDPHASE
  PHASE 1  # and reaches for it
    ACTIONS
      POSE rKnee(.3);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(contact rShin);
  ENDPHASE
ENDSCRIPT
