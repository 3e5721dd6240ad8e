BEGINSCRIPT crawl(void)
  PHASE 0  # the right knee and the left hand come off
    ACTIONS
      POSE neck2head(-.2, 60, 10), uTorso2neck(-.2, 60, 10);
      LIPOSE waist(-0.03853, 639.6, 65.89).time(0.1607), lTorso2uTorso(-0.03246, 765.8, 60.48).time(0.2119);
      LIPOSE lShoulder(-1.947, 195.6, 14.51).time(0.1302), lElbow(-0.7801, 144.9, 15.19).time(0.1215),
          lWrist(-0.9294, 4.73, 2.839).time(0.1382);
      LIPOSE rHip(-1.82, 400.7, 32.98).time(0.1188), rKnee(2.076, 218.6, 19.51).time(0.1369),
          rAnkle(0.8785, 22.76, 5.874).time(0.0941);
      LIPOSE rShoulder(-1.275, 325.8, 48.75).time(0.2337), rElbow(-0.1347, 208.1, 29.98).time(0.1098),
          rWrist(-1.351, 32.2, 4.677).time(0.125);
      LIPOSE lHip(-1.351, 551.1, 48.42).time(0.215), lKnee(1.691, 218.6, 27.71).time(0.1719),
          lAnkle(0.8785, 22.76, 5.874).time(0.0941);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1901);
  ENDPHASE
  PHASE 1  # and forward, the body over the others
    ACTIONS
      LIPOSE lShoulder(-1.739, 238.7, 20.09).time(0.2254), lElbow(-0.0312, 214.4, 23.23).time(0.1848),
          lWrist(-1.48, 12.46, 3.727).time(0.1381);
      LIPOSE rHip(-1.661, 375.7, 40.31).time(0.207), rKnee(1.829, 187.2, 23.22).time(0.1858);
      LIPOSE rShoulder(-0.9776, 434.5, 58.28).time(0.2993);
      LIPOSE lHip(-0.9963, 570.2, 64.62).time(0.2887), lKnee(1.696, 187.2, 47.57).time(0.3231);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4356);
  ENDPHASE
  PHASE 2  # the right knee and the left hand come off
    ACTIONS
      POSE neck2head(-.2, 60, 10), uTorso2neck(-.2, 60, 10);
      LIPOSE waist(-0.01019, 662.2, 72.1).time(0.1954), lTorso2uTorso(0.003499, 659.2, 64.29).time(0.1365);
      LIPOSE rShoulder(-1.83, 208.6, 24.83).time(0.1607), rElbow(-0.7759, 169.3, 15.46).time(0.1272),
          rWrist(-1.079, 12.36, 2.658).time(0.1642);
      LIPOSE lHip(-1.928, 414.1, 44.23).time(0.08852), lKnee(2.005, 169.8, 17.62).time(0.2019),
          lAnkle(0.86, 32.3, 6.036).time(0.1004);
      LIPOSE lShoulder(-1.261, 305.8, 41.97).time(0.1121), lElbow(-0.02792, 321.6, 31.82).time(0.1437),
          lWrist(-1.315, 15.47, 3.792).time(0.09875);
      LIPOSE rHip(-1.383, 459.3, 57.47).time(0.2145), rKnee(1.817, 169.8, 44.04).time(0.1928),
          rAnkle(0.86, 32.3, 6.036).time(0.1004);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2127);
  ENDPHASE
  PHASE 3  # and forward, the body over the others
    ACTIONS
      LIPOSE rShoulder(-1.831, 288.9, 25.17).time(0.1873), rElbow(-0.09699, 164.9, 17.31).time(0.2611),
          rWrist(-1.398, 15.66, 3.557).time(0.1291);
      LIPOSE lHip(-1.643, 396.4, 38.85).time(0.2166), lKnee(1.849, 220.3, 27.28).time(0.2346);
      LIPOSE lShoulder(-0.9497, 397.8, 53.91).time(0.3121);
      LIPOSE rHip(-1.103, 582.6, 44.86).time(0.2448), rKnee(1.674, 220.3, 44.32).time(0.2938);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.4353);
  ENDPHASE
ENDSCRIPT
