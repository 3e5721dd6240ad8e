# From the plank to hands and knees: the knees come down under the hips.
BEGINSCRIPT plank_to_hands_and_knees(void)
  PHASE 0
    ACTIONS
      LIPOSE bHip(-0.6746, 476.3, 67.28).time(0.5161);
      LIPOSE bKnee(0.9843, 194.8, 50.22).time(0.8751);
      LIPOSE bAnkle(-0.5144, 61.75, 14.85).time(0.3742);
    ENDACTIONS
    TRANSITION to(1).after(contact rShin);
    TRANSITION to(1).after(time 1.202);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE waist(-0.0431, 516.2, 57.93).time(0.8177), lTorso2uTorso(0.1039, 597.1, 69.35).time(0.6689);
      LIPOSE bHip(-1.401, 568.5, 65.85).time(1.021);
      LIPOSE bKnee(1.78, 344.8, 37.25).time(0.704);
      LIPOSE bAnkle(0.897, 14.46, 8.223).time(0.7287);
      LIPOSE bShoulder(-1.488, 492.7, 62.06).time(0.9723);
      LIPOSE bElbow(-0.06105, 346.7, 34.91).time(0.6973);
      LIPOSE bWrist(-1.383, 29.12, 6.765).time(0.6127);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.437);
  ENDPHASE
ENDSCRIPT
