BEGINSCRIPT lunge(hold)
  PHASE 0
    ACTIONS
      POSE rHip(-0.7231, 243.3, 54.22), rKnee(1.015, 150.2, 43.85), rAnkle(0.01969, 67.3, 32.53);
      POSE lHip(0.3977, 243.3, 54.22), lAnkle(-0.1525), lKnee(0.2237);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4599);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(0.6228, 282, 66.57).time(0.06919);
      POSE lHip(0.2398, 237.2, 63.88), lAnkle(0.008048, 210.4, 39.23);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time 1.307);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rHip(-1.314, 311.1, 26.07).time(0.3819), rKnee(1.342, 636.8, 88.34).time(0.4442),
          rAnkle(0.1819, 438.3, 46.28).time(0.4996);
      LIPOSE lHip(-0.05976, 311.1, 26.07).time(0.3819), lKnee(1.08, 636.8, 88.34).time(0.4442),
          lAnkle(-0.1996, 149.7, 29.05).time(0.4996);
      VFFB uTorso(843.6, 81.65).by(rAnkle).over(cop);
      VFFB uTorso(219, 32.75).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.247);
    TRANSITION to(-1).after(time hold);
  ENDPHASE
ENDSCRIPT
