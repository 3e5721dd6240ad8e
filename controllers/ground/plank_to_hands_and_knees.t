# From the plank to hands and knees: the knees come down under the hips.
BEGINSCRIPT plank_to_hands_and_knees(void)
  PHASE 0
    ACTIONS
      LIPOSE bHip(-0.5837, 576.2, 68.56).time(0.4591);
      LIPOSE bKnee(0.963, 232.4, 47.01).time(0.7395);
      LIPOSE bAnkle(-0.5695, 60.4, 12.26).time(0.4364);
    ENDACTIONS
    TRANSITION to(1).after(contact rShin);
    TRANSITION to(1).after(time 1.191);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE waist(-0.07084, 486, 55.51).time(0.7651), lTorso2uTorso(0.03409, 586.4, 60.95).time(0.6889);
      LIPOSE bHip(-1.336, 626.9, 65.48).time(1.058);
      LIPOSE bKnee(1.646, 341.9, 47.41).time(0.7144);
      LIPOSE bAnkle(0.8695, 19.16, 7.499).time(0.7473);
      LIPOSE bShoulder(-1.508, 458.9, 55.4).time(0.8915);
      LIPOSE bElbow(-0.1194, 295.5, 36.61).time(0.7128);
      LIPOSE bWrist(-1.439, 33.23, 6.514).time(0.6929);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.547);
  ENDPHASE
ENDSCRIPT
