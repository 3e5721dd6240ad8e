# From the plank the legs are drawn in through the air, the feet to the hands, which push off, up into a squat.
BEGINSCRIPT burpee_up(void)
  PHASE 0  # the seat low, to spring from the toes
    ACTIONS
      LIPOSE bHip(-0.2377, 657.8, 72.69).time(0.266);
      LIPOSE bKnee(0.3522, 733.9, 41.47).time(0.2085);
      LIPOSE bAnkle(-0.3185, 169.3, 19.16).time(0.1691);
      LIPOSE bShoulder(-1.277, 493.5, 77.86).time(0.2602);
    ENDACTIONS
    TRANSITION to(1).after(time 0.347);
  ENDPHASE
  PHASE 1  # off
    ACTIONS
      LIPOSE waist(0.2707, 1151, 61.26).time(0.2009), lTorso2uTorso(0.1402, 1359, 36.86).time(0.1499);
      LIPOSE bHip(-1.321, 839, 31.79).time(0.2007);
      LIPOSE bKnee(0.1252, 616.1, 21.69).time(0.1515);
      LIPOSE bAnkle(0.4001, 275.7, 10.84).time(0.1761);
      LIPOSE bShoulder(-1.569, 597.9, 33.03).time(0.3008);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2243);
  ENDPHASE
  PHASE 2  # the legs drawn up
    ACTIONS
      LIPOSE waist(0.5152, 690.6, 50.73).time(0.2506), lTorso2uTorso(0.3583, 1180, 28.44).time(0.0726);
      LIPOSE bHip(-2.338, 924.7, 40.25).time(0.1619);
      LIPOSE bKnee(1.95, 483.9, 19.93).time(0.08371);
      LIPOSE bAnkle(-0.2823, 188.2, 12.21).time(0.1892);
      LIPOSE bShoulder(-1.729, 477.5, 53.55).time(0.2138);
    ENDACTIONS
    TRANSITION to(3).after((contact rFoot or contact lFoot) and time 0.1762);
    TRANSITION to(3).after(time .45);
  ENDPHASE
  PHASE 3  # lands on the feet, back off the hands
    ACTIONS
      LIPOSE bHip(-2.196, 249, 52.62).time(0.2002);
      LIPOSE bKnee(2.208, 278.3, 44.72).time(0.2291);
      LIPOSE bAnkle(-0.4003, 242.2, 33.55).time(0.1917);
      LIPOSE bShoulder(-2.086, 652.7, 45.52).time(0.362);
      LIPOSE bElbow(0.008586, 246.7, 61.82).time(0.2179);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1245);
  ENDPHASE
  PHASE 4  # onto the feet
    ACTIONS
      LIPOSE waist(-0.007766, 503.6, 67.09).time(0.2932), lTorso2uTorso(0.2796, 584.8, 26.62).time(0.5175);
      LIPOSE bHip(-2.397, 601.1, 61.78).time(0.3251);
      LIPOSE bKnee(2.465, 303.3, 37.23).time(0.4405);
      LIPOSE bAnkle(-0.75, 189.8, 27.82).time(0.1941);
      LIPOSE bShoulder(-1.907, 245.5, 34.64).time(0.2029);
      LIPOSE bElbow(-0.03238, 114.4, 19.94).time(0.4554), bWrist(0, 9.562, 5.324).time(0.4111);
      VFFB uTorso(535.6, 368).by(rAnkle).over(part rFoot);
      VFFB uTorso(535.6, 368).by(lAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3925);
  ENDPHASE
  PHASE 5
    ACTIONS
      LIPOSE waist(0.02683, 479.7, 65.49).time(0.2022), lTorso2uTorso(0.05476, 763.3, 23.48).time(0.5618);
      LIPOSE bHip(-1.578, 209.5, 43.57).time(0.7794);
      LIPOSE bKnee(2.084, 170.2, 30.81).time(0.8074);
      LIPOSE bAnkle(-0.6656, 211.1, 34.42).time(0.5457);
      VFFB uTorso(1087, 347.2).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.5752);
  ENDPHASE
ENDSCRIPT
