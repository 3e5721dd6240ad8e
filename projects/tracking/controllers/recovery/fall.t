# After a fall: stretches the legs softly until the body is at rest. Without arms it cannot get up.
BEGINSCRIPT fall(void)
  PHASE 0
    ACTIONS
      LIPOSE rHip(0, 150, 30).time(.5), lHip(0, 150, 30).time(.5);
      LIPOSE rKnee(.2, 80, 20).time(.5), lKnee(.2, 80, 20).time(.5);
      LIPOSE rAnkle(.6, 30, 6).time(.5), lAnkle(.6, 30, 6).time(.5);
    ENDACTIONS
    TRANSITION to(1).after(time 1.5);
  ENDPHASE
  PHASE 1  # at rest, or nearly
    TRANSITION to(-1).after(stable .03);
    TRANSITION to(-1).after(time 4);
  ENDPHASE
ENDSCRIPT
