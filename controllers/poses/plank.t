# From the belly, hands and knees or the crawl to the plank: the toes tucked, the body straight on hands and toes, held. A hand
# that is behind moves beside the other.
# Argument: hold, the time in the plank (s).
SCRIPTS plank_hand.t;
BEGINSCRIPT plank(hold)
  PHASE 0  # tuck the toes
    ACTIONS
      LIPOSE neck2head(-.1, 60, 10).time(.3), uTorso2neck(-.1, 60, 10).time(.3);
      LIPOSE waist(-0.007907 + slope(com_x), 1028, 82.66).time(0.2841),
          lTorso2uTorso(0.06389 + slope(com_x), 944.3, 77.47).time(0.4772);
      LIPOSE bHip(-0.179, 711.7, 66.13).time(0.3884);
      LIPOSE bKnee(0.5284, 500.2, 47.13).time(0.3282);
      LIPOSE bAnkle(-0.5545, 57.01, 18.69).time(0.7115);
      LIPOSE bWrist(-1.378, 34.25, 6.142).time(0.316);
    ENDACTIONS
    TRANSITION to(6).after(time 0.1812 and (when x(rHand) > x(lHand) + .1 or when x(lHand) > x(rHand) + .1) and when height(bShin) > .1);
    TRANSITION to(1).after(time 0.1812);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bHip(-0.0142, 868.8, 73.41).time(0.5053);
      LIPOSE bKnee(-0.05, 657.5, 51.61).time(0.6694);
      LIPOSE bAnkle(-0.2173, 108.6, 14.68).time(0.6309);
      LIPOSE bShoulder(-1.263, 480.3, 67.5).time(0.6698), bElbow(-0.1118, 341.2, 65.97).time(0.9278),
          bWrist(-1.19, 37.76, 7.571).time(1.108);
    ENDACTIONS
    TRANSITION to(2).after(time 1.66);
  ENDPHASE
  PHASE 6  # up, the shoulders further ahead
    ACTIONS
      LIPOSE bHip(-0.0142, 868.8, 73.41).time(0.5053);
      LIPOSE bKnee(-0.05, 657.5, 51.61).time(0.6694);
      LIPOSE bAnkle(-0.2173, 108.6, 14.68).time(0.6309);
      LIPOSE bShoulder(-1.1, 480.3, 67.5).time(0.6698), bElbow(-0.1118, 341.2, 65.97).time(0.9278),
          bWrist(-1.19, 37.76, 7.571).time(1.108);
    ENDACTIONS
    TRANSITION to(2).after(time 1.66);
  ENDPHASE
  PHASE 2  # a hand that is behind moves beside the other
    TRANSITION to(3).after(when x(rHand) > x(lHand) + .1);
    TRANSITION to(4).after(when x(lHand) > x(rHand) + .1);
    TRANSITION to(-1).after(time hold);
  ENDPHASE
  PHASE 3
    > plank_hand.t();
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 4
    > plank_hand.t().mirrored;
    TRANSITION to(5).after(complete);
  ENDPHASE
  PHASE 5
    ACTIONS
      LIPOSE bShoulder(-1.263, 480.3, 67.5).time(0.4), bElbow(-0.1118, 341.2, 65.97).time(0.4),
          bWrist(-1.19, 37.76, 7.571).time(.4);
    ENDACTIONS
    TRANSITION to(-1).after(time hold);
  ENDPHASE
ENDSCRIPT
