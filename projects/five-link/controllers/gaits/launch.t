# From standing on both points to the first step: the body cannot stand, so it falls forward, and the right leg reaches ahead.
# Argument: dt, the time of the swing before the leg comes down (s).
BEGINSCRIPT launch(dt)
  PHASE 0  # lift the right leg
    ACTIONS
      POSE rHip(-.6), rKnee(.8), lHip(0), lKnee(.05);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time dt);
  ENDPHASE
  PHASE 1  # reach for the ground
    ACTIONS
      POSE rKnee(.3);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(contact rShin);
  ENDPHASE
ENDSCRIPT
