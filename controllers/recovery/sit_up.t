# From lying on the back to sitting: the legs are drawn up, the arms move forward, the trunk curls and rises, and stays curled until
# the feet are down.
BEGINSCRIPT sit_up(void)
  PHASE 0  # the feet to the ground near the seat, arms overhead, chin tucked
    ACTIONS
      LIPOSE neck2head(.45, 60, 10).time(.4), uTorso2neck(.45, 60, 10).time(.4);
      LIPOSE bHip(-0.7421 + slope(com_x) * (1.13 + 0.154 * slope(com_x)), 289.3, 49.89).time(0.5818),
          bKnee(1.548 + slope(com_x) * (1.33 + 8.27 * slope(com_x)), 232.2, 38.04).time(0.9333),
          bAnkle(0.3595, 41.33, 12.04).time(0.3244);
      LIPOSE bShoulder(-2.632, 73.05, 20.05).time(0.4926), bElbow(-0.26, 67.77, 10.26).time(0.1495);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2414);
  ENDPHASE
  PHASE 1  # swing the arms forward and curl
    ACTIONS
      LIPOSE bShoulder(-1.321 + slope(com_x) * (7.15 + 21.8 * slope(com_x)), 145.9, 19.58).time(0.1653);
      LIPOSE waist(0.6889, 842, 57.61).time(0.3927), lTorso2uTorso(0.7549, 802.3, 57.36).time(0.2723);
      LIPOSE bHip(-1.413 + slope(com_x) * (6.32 + 33.2 * slope(com_x)), 607.8, 56.98).time(0.6843);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4114);
  ENDPHASE
  PHASE 2  # up
    ACTIONS
      LIPOSE bHip(-1.876 + slope(com_x) * (4.33 + 14.7 * slope(com_x)), 526.8, 73.27).time(0.3911),
          bKnee(0.8 + slope(com_x) * (-7.46 - 30.9 * slope(com_x)), 249.7, 27.85).time(0.3624);
      LIPOSE bShoulder(-1.242 + slope(com_x) * (-3.75 - 9.31 * slope(com_x)), 110.9, 18.63).time(0.4297);
      LIPOSE waist(0.5041, 511.4, 62.02).time(0.7234), lTorso2uTorso(0.4214, 715.6, 50.72).time(0.8698);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3541);
  ENDPHASE
  PHASE 4  # curled over the legs until the feet are down
    ACTIONS
      LIPOSE waist(0.6, 600, 60).time(0.3), lTorso2uTorso(0.6, 600, 58).time(0.3);
      LIPOSE bHip(-1.8 + slope(com_x) * (2.94 + 16.2 * slope(com_x)), 450, 60).time(0.4),
          bKnee(0.8 + slope(com_x) * (1.42 + 0.742 * slope(com_x)), 220, 30).time(0.4), bAnkle(0.1, 49, 9.5).time(0.4);
    ENDACTIONS
    TRANSITION to(3).after(time .3 and contact bFoot);
    TRANSITION to(3).after(time 1.2);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE neck2head(0, 60, 10).time(.6), uTorso2neck(0, 60, 10).time(.6);
      LIPOSE bHip(-1.67 + slope(com_x) * (-0.674 - 1.76 * slope(com_x)), 303, 52.51).time(0.9703),
          bKnee(1.029 + slope(com_x) * (-3.03 - 10.4 * slope(com_x)), 185, 32.62).time(0.3992),
          bAnkle(0.02876, 49.34, 9.46).time(0.4358);
      LIPOSE waist(0.2033 + slope(com_x) * (0.309 + 1.36 * slope(com_x)), 375.6, 49.61).time(0.7363),
          lTorso2uTorso(0.1718, 633, 58.3).time(0.6876);
      LIPOSE bShoulder(-0.5427 + slope(com_x) * (1.2 + 5.3 * slope(com_x)), 98.12, 22.92).time(0.9752),
          bElbow(-0.3513, 64.01, 20.23).time(0.7887);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.761);
  ENDPHASE
ENDSCRIPT
