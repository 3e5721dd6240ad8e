# On hands and feet: one foot after the other steps up towards the hands.
SCRIPTS foot_to_hand.t;
BEGINSCRIPT feet_to_hands(void)
  PHASE 0  # the right foot
    > foot_to_hand(-1.9, 1.2, -0.55, 0.25);
    TRANSITION to(1).after(iterations 1);
  ENDPHASE
  PHASE 1  # the left foot beside it
    > foot_to_hand(-2.2, 1.4, -0.65, 0.28).mirrored;
    TRANSITION to(-1).after(iterations 1);
  ENDPHASE
ENDSCRIPT
