# Falls forward and catches the fall with both hands: the knees bend, the arms reach ahead and flex, then push the straight
# body up on hands and toes.
BEGINSCRIPT brace(void)
  PHASE 0  # lean until the balance is lost, with the arms forward
    ACTIONS
      POSE waist(0.05079, 608.2, 35.34), lTorso2uTorso(0.1096, 700.5, 36.69);
      LIPOSE neck2head(-.2, 60, 10).time(.4), uTorso2neck(-.2, 60, 10).time(.4);
      LIPOSE bAnkle(-0.2037, 183.9, 36.21).time(0.6549), bHip(-0.1939, 373.1, 53.51).time(0.3977),
          bKnee(0.3944, 404.7, 38.9).time(0.393);
      LIPOSE bShoulder(-1.181, 128.8, 12.57).time(0.5264), bElbow(-0.1931, 74.34, 10.8).time(0.6487),
          bWrist(-1.128, 22.84, 3.933).time(0.5216);
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .32 * com_vx > x(lFoot) + .18);
    TRANSITION to(1).after(time 1.438);
  ENDPHASE
  PHASE 1  # fall, hands ahead
    ACTIONS
      LIPOSE waist(0.0549, 586.4, 50.07).time(0.2811), lTorso2uTorso(0.06711, 580.8, 52.59).time(0.2482);
      LIPOSE bHip(-0.9326, 394.8, 27.91).time(0.4217), bKnee(0.8815, 477.5, 40.43).time(0.4157),
          bAnkle(-0.1722, 146.8, 24.33).time(0.3504);
      LIPOSE bShoulder(-1.738, 139, 14.8).time(0.3878), bElbow(-0.5617, 150.5, 12.31).time(0.2356),
          bWrist(-1.138, 27.64, 4.446).time(0.3259);
    ENDACTIONS
    TRANSITION to(2).after(contact rHand);
    TRANSITION to(2).after(time 0.8043);
  ENDPHASE
  PHASE 2  # the arms flex
    ACTIONS
      LIPOSE waist(0.004444 + slope(com_x), 691.5, 67.19).time(0.2755),
          lTorso2uTorso(0.1017 + slope(com_x), 799.9, 57.68).time(0.3658);
      LIPOSE bHip(-0.3853, 530.5, 63.76).time(0.4285), bKnee(0.2525, 397.8, 49.81).time(0.2904),
          bAnkle(-0.2538, 88.83, 13.05).time(0.3499);
      LIPOSE bShoulder(-1.375, 217.6, 51.01).time(0.3016), bElbow(-1.041, 182.3, 38.07).time(0.2887),
          bWrist(-1.31, 25.21, 4.647).time(0.2609);
    ENDACTIONS
    TRANSITION to(3).after(time 0.5186);
  ENDPHASE
  PHASE 3  # up into the plank
    ACTIONS
      LIPOSE bHip(-0.02048, 687.4, 75.92).time(0.566), bKnee(-0.05, 423.9, 67.19).time(0.7896),
          bAnkle(-0.1579, 93.58, 11.36).time(0.5751);
      LIPOSE bShoulder(-1.185, 398.9, 64.06).time(0.7433), bElbow(-0.1688, 346, 51.18).time(0.959),
          bWrist(-1.226, 32.22, 8.036).time(0.8071);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.934);
  ENDPHASE
ENDSCRIPT
