# From hands and knees to the squat: the toes tucked, the hips back over the heels, the hands push off, the feet come flat.
BEGINSCRIPT get_up(void)
  PHASE 0  # tuck the toes, the hands nearer to the knees
    ACTIONS
      LIPOSE bAnkle(-0.75, 247.4, 23.02).time(0.2125);
      LIPOSE bHip(-2.089, 585.1, 44.77).time(0.4647);
      LIPOSE bKnee(2.4, 188.5, 6.86).time(0.02761);
      LIPOSE waist(0.8, 609.4, 62.72).time(0.1534), lTorso2uTorso(0.2295, 344.8, 29.75).time(0.405);
      LIPOSE bShoulder(-1.539, 376.8, 62.95).time(0.6272);
    ENDACTIONS
    TRANSITION to(1).after(time 0.666);
  ENDPHASE
  PHASE 1  # lift the knees, push back with the hands
    ACTIONS
      LIPOSE bHip(-2.312, 363.2, 6.976).time(0.1741);
      LIPOSE bKnee(1.97, 249.8, 34.66).time(0.2211);
      LIPOSE bAnkle(-0.5275, 211.7, 24.75).time(0.5639);
      LIPOSE bShoulder(-2.149, 559.5, 46.13).time(0.4478);
      LIPOSE bElbow(-0.05917, 226.3, 44.73).time(0.3006);
    ENDACTIONS
    TRANSITION to(2).after(time 0.9054);
  ENDPHASE
  PHASE 2  # onto the feet
    ACTIONS
      LIPOSE waist(-0.06969, 627.7, 55.11).time(0.02), lTorso2uTorso(0.1359, 488, 25.85).time(0.4201);
      LIPOSE bHip(-2.268, 410.5, 92.59).time(0.4184);
      LIPOSE bKnee(2.381, 204.3, 64.65).time(0.443);
      LIPOSE bAnkle(-0.7037, 194.9, 44.66).time(0.2153);
      LIPOSE bShoulder(-1.681, 267.8, 31.15).time(0.1622);
      LIPOSE bElbow(0.05, 85.69, 20.39).time(0.3123), bWrist(0.1858, 5.711, 5.349).time(0.409);
      VFFB uTorso(448.3, 361).by(rAnkle).over(part rFoot);
      VFFB uTorso(448.3, 361).by(lAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.3818);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE waist(0.2892, 444.8, 43.01).time(0.2081), lTorso2uTorso(-0.2334, 796, 46.86).time(1.154);
      LIPOSE bHip(-1.986, 1, 86.07).time(0.7504);
      LIPOSE bKnee(2.282, 234.4, 48.62).time(1.314);
      LIPOSE bAnkle(-0.6942, 223.7, 58.29).time(0.238);
      VFFB uTorso(2461, 397.7).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.02);
  ENDPHASE
ENDSCRIPT
