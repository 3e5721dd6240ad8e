# From the plank to hands and knees: the knees come down under the hips.
BEGINSCRIPT plank_to_hands_and_knees(void)
  PHASE 0
    ACTIONS
      LIPOSE bHip(-.6, 500, 60).time(.6);
      LIPOSE bKnee(.9, 300, 45).time(.6);
      LIPOSE bAnkle(-.5, 60, 12).time(.4);
    ENDACTIONS
    TRANSITION to(1).after(contact rShin);
    TRANSITION to(1).after(time 1.2);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE waist(0, 600, 60).time(.7), lTorso2uTorso(0, 600, 60).time(.7);
      LIPOSE bHip(-1.4, 600, 60).time(.9);
      LIPOSE bKnee(1.6, 300, 45).time(.9);
      LIPOSE bAnkle(.8, 30, 6).time(.7);
      LIPOSE bShoulder(-1.45, 400, 50).time(.9);
      LIPOSE bElbow(-.1, 300, 40).time(.7);
      LIPOSE bWrist(-1.45, 30, 6).time(.7);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
ENDSCRIPT
