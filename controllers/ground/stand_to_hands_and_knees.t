# From the stand down to hands and knees: a squat on the toes, the hands to the ground in front, then the knees.
BEGINSCRIPT stand_to_hands_and_knees(void)
  PHASE 0  # down into a squat, trunk forward
    ACTIONS
      LIPOSE neck2head(-.2, 60, 10).time(.8), uTorso2neck(-.2, 60, 10).time(.8);
      LIPOSE waist(0.414, 484.8, 48.84).time(0.8581), lTorso2uTorso(0.1672, 601.6, 56.18).time(0.2294);
      LIPOSE bHip(-1.819, 557.3, 44.51).time(0.7514);
      LIPOSE bKnee(1.673, 306, 30.46).time(0.8439);
      LIPOSE bAnkle(-0.702, 469.5, 38.43).time(1.01);
      LIPOSE bShoulder(-1.693, 133.7, 18.4).time(0.7059);
      LIPOSE bElbow(-0.238, 65.91, 10.59).time(0.8487);
      LIPOSE bWrist(-1.126, 20.72, 5.071).time(0.46);
      VFFB uTorso(1385, 166).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 0.9135);
  ENDPHASE
  PHASE 1  # forward over the toes until the hands touch
    ACTIONS
      LIPOSE bAnkle(-0.1127, 282.4, 22.45).time(0.621);
      LIPOSE bHip(-1.845, 319.3, 69.88).time(0.5733);
      LIPOSE bShoulder(-1.694, 142.4, 27.06).time(0.2595);
      LIPOSE bElbow(0.03819, 160.1, 20.4).time(0.4781);
    ENDACTIONS
    TRANSITION to(2).after(contact rHand);
    TRANSITION to(2).after(time 1.282);
  ENDPHASE
  PHASE 2  # the knees to the ground, the trunk over the hands
    ACTIONS
      LIPOSE waist(-0.3456, 721.6, 23.17).time(0.5049), lTorso2uTorso(0.1423, 506.4, 84.47).time(0.8898);
      LIPOSE bHip(-1.447, 429.4, 69.47).time(0.2891);
      LIPOSE bKnee(2.167, 199.5, 21.6).time(0.4996);
      LIPOSE bAnkle(-0.3904, 45.28, 15.62).time(0.3182);
      LIPOSE bShoulder(-1.312, 213.1, 59.7).time(0.4791);
      LIPOSE bElbow(-0.3749, 188.6, 47.73).time(0.2639);
      LIPOSE bWrist(-1.406, 24.65, 6.503).time(0.2865);
    ENDACTIONS
    TRANSITION to(3).after(contact rShin);
    TRANSITION to(3).after(time 1.133);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE neck2head(-.2, 60, 10).time(.6), uTorso2neck(-.2, 60, 10).time(.6);
      LIPOSE waist(0.1229, 847.6, 82.55).time(0.4363), lTorso2uTorso(0.3977, 469.3, 61.74).time(0.7677);
      LIPOSE bHip(-1.197, 794, 14.95).time(0.6132);
      LIPOSE bKnee(2.08, 333.8, 33.57).time(1.185);
      LIPOSE bAnkle(0.7853, 35.58, 8.072).time(0.6423);
      LIPOSE bShoulder(-1.378, 400.4, 70.9).time(0.6185);
      LIPOSE bElbow(0.01958, 168, 29.29).time(0.7278);
      LIPOSE bWrist(-1.152, 48.16, 9.219).time(1.074);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.314);
  ENDPHASE
ENDSCRIPT
