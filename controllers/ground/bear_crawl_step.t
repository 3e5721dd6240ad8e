# Half a cycle of the crawl on hands and feet: right foot and left hand step; mirrored, left foot and right hand. From the knees,
# the toes are tucked and the knees lifted first.
BEGINSCRIPT bear_crawl_step(void)
  PHASE 0  # still on the knees: tuck the toes
    ACTIONS
      POSE neck2head(-.2, 60, 10), uTorso2neck(-.2, 60, 10);
      LIPOSE waist(0.09831, 858.7, 55.21).time(0.194), lTorso2uTorso(0.1097, 726.1, 55.23).time(0.17);
      LIPOSE bAnkle(-0.75, 126.1, 23.36).time(0.17), bHip(-1.774, 443.9, 34.89).time(0.215),
          bKnee(1.964, 201.5, 30.43).time(0.291);
      LIPOSE bShoulder(-1.434, 348.6, 50.58).time(0.238), bElbow(-0.07986, 205.8, 30.45).time(0.205),
          bWrist(-1.387, 21.85, 5.374).time(0.17);
    ENDACTIONS
    TRANSITION to(2).after(when height(bShin) > .06);
    TRANSITION to(1).after(time 0.36);
  ENDPHASE
  PHASE 1  # lift the knees
    ACTIONS
      LIPOSE bKnee(1.527, 454.7, 42.7).time(0.449), bHip(-1.83, 461.6, 50.95).time(0.445),
          bAnkle(-0.6188, 184.3, 28.75).time(0.271);
      LIPOSE bShoulder(-1.53, 538.1, 43.33).time(0.278);
    ENDACTIONS
    TRANSITION to(2).after(time 0.46);
  ENDPHASE
  PHASE 2  # lift the right foot and the left hand
    ACTIONS
      LIPOSE waist(0.05503, 748.9, 57.62).time(0.2041), lTorso2uTorso(0.07949, 716.8, 61.64).time(0.2258);
      LIPOSE lShoulder(-1.906, 174.3, 16.54).time(0.1156), lElbow(-0.9037, 150.1, 14.49).time(0.1208),
          lWrist(-1.061, 1, 3.066).time(0.1684);
      LIPOSE rHip(-2.228, 524.4, 29.36).time(0.1654), rKnee(2.356, 311.3, 20.04).time(0.1212),
          rAnkle(-0.1602, 64.33, 5.845).time(0.09796);
      LIPOSE rShoulder(-1.301, 371, 45.71).time(0.1681), rElbow(-0.1776, 230.7, 30.23).time(0.1588),
          rWrist(-1.366, 23.93, 5.442).time(0.116);
      LIPOSE lHip(-1.873, 489.4, 49.42).time(0.1726), lKnee(1.174, 351, 43.81).time(0.2349),
          lAnkle(-0.5541, 206.7, 25.31).time(0.1925);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2201);
  ENDPHASE
  PHASE 3  # put them down ahead, the body moves forward over the others
    ACTIONS
      LIPOSE lShoulder(-1.669, 164.9, 18.29).time(0.2652), lElbow(-0.05996, 225.9, 23.08).time(0.1778),
          lWrist(-1.426, 9.306, 3.869).time(0.1234);
      LIPOSE rHip(-2.063, 375.1, 44.86).time(0.176), rKnee(1.522, 322.8, 27.68).time(0.2273),
          rAnkle(-0.4479, 97.94, 12.18).time(0.1445);
      LIPOSE rShoulder(-0.9482, 370.9, 51.63).time(0.3118);
      LIPOSE lHip(-1.449, 586.2, 59.17).time(0.2512), lKnee(1.166, 446.4, 45.94).time(0.3108);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3157 and contact lHand and contact rFoot);
    TRANSITION to(4).after(time 0.5);
  ENDPHASE
  PHASE 4  # load the left hand
    TRANSITION to(-1).after(time .06 and contact lHand);
    TRANSITION to(-1).after(time .3);
  ENDPHASE
ENDSCRIPT
