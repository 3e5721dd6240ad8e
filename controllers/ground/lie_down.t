# From hands and knees to lying on the belly: one hand forward, then the other, then down between them.
BEGINSCRIPT lie_down(void)
  PHASE 0  # the right hand forward
    ACTIONS
      LIPOSE lShoulder(-1.44, 394.2, 49.44).time(0.3298), lElbow(-0.1315, 213.3, 46.62).time(0.3027);
      LIPOSE rShoulder(-1.858, 341.5, 40.33).time(0.3595), rElbow(-1.05, 178.9, 27.96).time(0.1952),
          rWrist(-0.9109, 29.46, 5.065).time(0.2072);
      LIPOSE bHip(-1.444, 699.7, 54.88).time(0.3832);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3321);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rShoulder(-2.095, 321.7, 46.86).time(0.3085), rElbow(-0.2231, 204.7, 23.06).time(0.3093),
          rWrist(-1.069, 16.38, 4.327).time(0.2893);
      LIPOSE bHip(-1.207, 437.7, 62.45).time(0.4133);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5682);
  ENDPHASE
  PHASE 2  # the left hand beside it
    ACTIONS
      LIPOSE lShoulder(-1.895, 386.2, 39.54).time(0.2168), lElbow(-0.9294, 231, 30.45).time(0.2066),
          lWrist(-0.765, 23.26, 3.694).time(0.182);
      LIPOSE bHip(-1.143, 764.7, 53.4).time(0.5051);
    ENDACTIONS
    TRANSITION to(3).after(time 0.414);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE lShoulder(-2.094, 297.8, 43.69).time(0.3385), lElbow(-0.2213, 188.8, 26.58).time(0.2325),
          lWrist(-1.156, 18.78, 3.264).time(0.3865);
    ENDACTIONS
    TRANSITION to(4).after(time 0.4376);
  ENDPHASE
  PHASE 4  # down onto the belly, the arms flex
    ACTIONS
      LIPOSE neck2head(-.3, 60, 10).time(.8), uTorso2neck(-.3, 60, 10).time(.8);
      LIPOSE waist(-0.07025, 622.9, 56.85).time(0.553), lTorso2uTorso(0.1129, 740.4, 51.09).time(0.8225);
      LIPOSE bHip(0.08555, 309.1, 61.86).time(1.141);
      LIPOSE bKnee(0.09157, 162.3, 28.24).time(1.216);
      LIPOSE bAnkle(0.8813, 30.72, 7.15).time(0.8734);
      LIPOSE bShoulder(-0.6092, 200.9, 34.35).time(1.005);
      LIPOSE bElbow(-1.956, 151.3, 30.78).time(1.337);
      LIPOSE bWrist(-1.23, 14.08, 3.992).time(1.003);
    ENDACTIONS
    TRANSITION to(5).after(time 1.425);
  ENDPHASE
  PHASE 5  # hands beside the chest
    ACTIONS
      LIPOSE bShoulder(0.4054, 127.7, 16.07).time(0.6571);
      LIPOSE bElbow(-2.194, 96.64, 19.89).time(0.7156);
      LIPOSE bWrist(-1.403, 8.075, 3.355).time(0.5916);
      LIPOSE bKnee(0.01229, 123.6, 31.73).time(0.6393);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.386);
  ENDPHASE
ENDSCRIPT
