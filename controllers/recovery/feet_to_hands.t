# On hands and feet: one foot after the other steps up towards the hands.
BEGINSCRIPT feet_to_hands(void)
  PHASE 0  # the right foot off
    ACTIONS
      LIPOSE rHip(-2.4, 524, 29).time(0.17), rKnee(2.5, 311, 20).time(0.12), rAnkle(-0.3, 64, 6).time(0.1);
      LIPOSE lHip(-1.9, 490, 49).time(0.17), lKnee(1.2, 351, 44).time(0.23), lAnkle(-0.55, 207, 25).time(0.19);
    ENDACTIONS
    TRANSITION to(1).after(time 0.25);
  ENDPHASE
  PHASE 1  # and down ahead
    ACTIONS
      LIPOSE rHip(-2.4, 450, 45).time(0.18), rKnee(1.5, 323, 28).time(0.2), rAnkle(-0.3, 120, 14).time(0.15);
    ENDACTIONS
    TRANSITION to(2).after(time 0.35);
  ENDPHASE
  PHASE 2  # the left foot off
    ACTIONS
      LIPOSE lHip(-2.4, 524, 29).time(0.17), lKnee(2.5, 311, 20).time(0.12), lAnkle(-0.3, 64, 6).time(0.1);
      LIPOSE rHip(-2.2, 490, 49).time(0.17), rKnee(1.4, 351, 44).time(0.23), rAnkle(-0.65, 207, 25).time(0.19);
    ENDACTIONS
    TRANSITION to(3).after(time 0.28);
  ENDPHASE
  PHASE 3  # and beside it
    ACTIONS
      LIPOSE lHip(-2.4, 450, 45).time(0.18), lKnee(1.5, 323, 28).time(0.2), lAnkle(-0.3, 150, 18).time(0.15);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.35);
  ENDPHASE
ENDSCRIPT
