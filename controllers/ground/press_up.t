# One push-up from the plank: down until the chest is low, and up, with a straight body.
# Argument: time, of each direction (s).
BEGINSCRIPT press_up(time)
  PHASE 0  # down
    ACTIONS
      LIPOSE bShoulder(-0.2, 200, 40).time(time);
      LIPOSE bElbow(-1.75, 400, 50).time(time);
      LIPOSE bWrist(-1.45, 30, 6).time(time);
      LIPOSE bAnkle(-0.3, 120, 12).time(time);
    ENDACTIONS
    TRANSITION to(1).after(time time + .1);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bShoulder(-1.25, 350, 50).time(time);
      LIPOSE bElbow(-.1, 400, 50).time(time);
      LIPOSE bWrist(-1.3, 30, 6).time(time);
    ENDACTIONS
    TRANSITION to(-1).after(time time + .3);
  ENDPHASE
ENDSCRIPT
