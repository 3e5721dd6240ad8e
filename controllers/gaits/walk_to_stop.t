# From the walk to a stand in two steps: a last one with the right leg, the left foot beside it, then balance on both.
BEGINSCRIPT walk_to_stop(void)
  PHASE 0  # the right foot leaves the ground without a push
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0, 100, 12), waist(-0.08684, 581.2, 62.93),
          lTorso2uTorso(0.02613, 563.6, 60.42);
      POSE lWrist(-0.1231, 1.261, 3.191), rWrist(-0.1231, 1.261, 3.191);
      LIPOSE rAnkle(0.1802 + slope(com_x) * (1.1 + 7.17 * slope(com_x)), 170.3, 14.4).time(0.1078),
          rKnee(0.8376 + slope(com_x) * (0.109 + 2.34 * slope(com_x)), 140.3, 14.35).time(0.05588);
      LIPOSE lKnee(0.3753 + slope(com_x) * (0.205 + 0.174 * slope(com_x)), 539.8, 38.33).time(0.1132),
          lAnkle(-0.02751 + slope(com_x) * (-0.105 + 1.8 * slope(com_x)), 217.1, 16.04).time(0.1078);
      LIPOSE bShoulder(-0.0248, 24.77, 6.165).time(0.382), bElbow(-0.2233, 37.98, 6.076).time(0.4513);
      VPD uTorso(-0.05474 + slope(com_x) * (-1.43 - 8.39 * slope(com_x)), 256.7, 52.7).joint(lHip);
      VPD rThigh(0.01228 + slope(com_x) * (-0.127 - 5.06 * slope(com_x)), -147.7, -15.94).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09827);
  ENDPHASE
  PHASE 1  # a last step with the right leg
    ACTIONS
      LIPOSE rKnee(1.145 + slope(com_x) * (-0.621 - 8.51 * slope(com_x)), 227.1, 11.05).time(0.04331),
          rAnkle(0.04701 + slope(com_x) * (-0.383 - 0.795 * slope(com_x)), 77.52, 9.793).time(0.1292);
      LIPOSE lKnee(0.1139 + slope(com_x) * (0.227 - 4.59 * slope(com_x)), 444, 31.86).time(0.09999),
          lAnkle(0.01041 + slope(com_x) * (0.823 - 0.529 * slope(com_x)), 360.7, 20.69).time(0.1946);
      VPD uTorso(0.007681 + slope(com_x) * (0.325 + 2.85 * slope(com_x)), 451.5, 51.82).joint(lHip);
      COMFB2 -0.03514 -0.371 j lAnkle
      VPD rThigh(-0.4779 + slope(com_x) * (0.234 + 1.84 * slope(com_x)), -184.8, -24.37).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2209 + slope(com_x) * (0.228 - 0.79 * slope(com_x)));
  ENDPHASE
  PHASE 2  # the right foot comes down ahead
    ACTIONS
      LIPOSE rKnee(0.04802 + slope(com_x) * (0.213 + 1.95 * slope(com_x)), 188.6, 19.51).time(0.1418),
          rAnkle(-0.09324 + slope(com_x) * (-0.961 - 7.47 * slope(com_x)), 126.9, 10.64).time(0.1339);
      LIPOSE lKnee(0.1682 + slope(com_x) * (1.11 + 1.68 * slope(com_x)), 390.4, 32.38).time(0.1418),
          lAnkle(-0.2622 + slope(com_x) * (0.584 + 4.92 * slope(com_x)), 331.1, 22.69).time(0.1643);
      VPD uTorso(0.06482 + slope(com_x) * (-0.308 - 2.54 * slope(com_x)), 286, 72.32).joint(lHip);
      COMFB2 0.06802 -0.1504 j lAnkle
      VPD rThigh(-0.1944 + slope(com_x) * (0.583 + 3.21 * slope(com_x)), -152.5, -18.5).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
    TRANSITION to(3).after(time .35);
  ENDPHASE
  PHASE 3  # over the right foot, the left one follows
    ACTIONS
      LIPOSE rKnee(0.2293 + slope(com_x) * (-0.474 - 1.05 * slope(com_x)), 551.9, 27.41).time(0.16),
          rAnkle(-0.2191 + slope(com_x) * (-0.878 - 2.19 * slope(com_x)), 189.2, 13.77).time(0.1722);
      LIPOSE lKnee(1.012 + slope(com_x) * (-0.582 + 0.524 * slope(com_x)), 218.2, 21.64).time(0.08198),
          lAnkle(-0.1368 + slope(com_x) * (-0.0892 + 4.39 * slope(com_x)), 53.82, 13.8).time(0.1722);
      VFFB uTorso(1085, 356.8).by(rAnkle).over(part rFoot);
      VPD uTorso(-0.01299 + slope(com_x) * (0.244 - 0.239 * slope(com_x)), 574.1, 77.85).joint(rHip);
      VPD lThigh(-0.2736 + slope(com_x) * (-0.849 - 4.15 * slope(com_x)), -205, -18.1).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2143 + slope(com_x) * (-0.358 - 1.27 * slope(com_x)));
  ENDPHASE
  PHASE 4  # the left foot comes down beside it
    ACTIONS
      LIPOSE rKnee(0.2029 + slope(com_x) * (-0.172 + 0.627 * slope(com_x)), 474.5, 42.58).time(0.2462),
          rHip(-0.1295 + slope(com_x) * (-0.00125 + 1.17 * slope(com_x)), 698.4, 60.79).time(0.2182),
          rAnkle(-0.1538 + slope(com_x) * (-0.032 - 2.93 * slope(com_x)), 363.4, 22.53).time(0.1522);
      LIPOSE lKnee(0.294 + slope(com_x) * (-0.327 - 0.0759 * slope(com_x)), 252.9, 21.95).time(0.2462),
          lHip(-0.1295 + slope(com_x) * (0.592 + 5.84 * slope(com_x)), 293.4, 21.12).time(0.2182),
          lAnkle(-0.1538 + slope(com_x) * (0.0849 - 7.02 * slope(com_x)), 103, 14.13).time(0.1522);
      VFFB uTorso(751.6, 284).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(contact lFoot and time .08);
    TRANSITION to(5).after(time .3);
  ENDPHASE
  PHASE 5  # balance on both
    ACTIONS
      LIPOSE bHip(0 + slope(com_x) * (-0.51 - 0.348 * slope(com_x)), 528.4, 62.41).time(0.5053),
          bKnee(0.08 + slope(com_x) * (0.374 + 7.07 * slope(com_x)), 460.9, 50.84).time(0.4),
          bAnkle(-0.06 + slope(com_x) * (0.129 - 2.68 * slope(com_x)), 341.7, 25.55).time(0.4205);
      LIPOSE bShoulder(0, 42.44, 6).time(0.45), bElbow(-0.15, 50, 7).time(0.5);
      LIPOSE waist(0.05442, 820.1, 51.25).time(0.291), lTorso2uTorso(-0.004373, 477.8, 81.96).time(0.2813);
      VFFB uTorso(2186, 262.6).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time .5 and stable .12);
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
ENDSCRIPT
