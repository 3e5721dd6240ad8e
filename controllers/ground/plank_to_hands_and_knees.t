# From the plank to hands and knees: the knees come down under the hips.
BEGINSCRIPT plank_to_hands_and_knees(void)
  PHASE 0
    ACTIONS
      LIPOSE bHip(-0.6706, 499.4, 64.56).time(0.5052);
      LIPOSE bKnee(0.9742, 195.9, 46.2).time(0.8469);
      LIPOSE bAnkle(-0.583, 57, 14.15).time(0.4385);
    ENDACTIONS
    TRANSITION to(1).after(contact rShin);
    TRANSITION to(1).after(time 1.14);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE waist(-0.05823, 486.6, 53.72).time(0.8483), lTorso2uTorso(0.07426, 623.4, 60.48).time(0.76);
      LIPOSE bHip(-1.338, 648.8, 70.56).time(1.135);
      LIPOSE bKnee(1.71, 353.5, 41.42).time(0.6398);
      LIPOSE bAnkle(0.9181, 18.17, 7.716).time(0.69);
      LIPOSE bShoulder(-1.472, 445.7, 61.46).time(0.8488);
      LIPOSE bElbow(-0.07915, 310.4, 34.63).time(0.7833);
      LIPOSE bWrist(-1.471, 30.76, 6.867).time(0.6539);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.464);
  ENDPHASE
ENDSCRIPT
