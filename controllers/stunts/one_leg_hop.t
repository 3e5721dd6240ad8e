# Two hops on the left leg: from the stand the right knee is raised, the body hops twice on the same foot, and both feet stand again.
SCRIPTS hop_on_leg.t, stand.t;
BEGINSCRIPT one_leg_hop(void)
  PHASE 0  # raise one knee, the weight over the other foot
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0 + slope(com_x) * (-0.872 - 2.65 * slope(com_x)), 100, 12), bWrist(0, 4, 2),
          waist(0.1004 + slope(com_x) * (0.713 - 1.73 * slope(com_x)), 569, 50.33),
          lTorso2uTorso(0.09201, 544.2, 31.92);
      LIPOSE bShoulder(0.01869 + slope(com_x) * (-0.3 + 6.2 * slope(com_x)), 91.46, 10.51).time(0.7569),
          bElbow(-0.5489, 54.14, 9.182).time(0.434);
      LIPOSE rHip(-0.8518 + slope(com_x) * (0.973 - 5.29 * slope(com_x)), 380.9, 35.78).time(0.5589),
          rKnee(1.65 + slope(com_x) * (-0.821 + 1.81 * slope(com_x)), 258.7, 23.17).time(0.5731),
          rAnkle(-0.1938, 62.9, 8.181).time(0.5085);
      VFFB uTorso(1601, 182.4).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.9531);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1
    > hop_on_leg();
    TRANSITION to(2).after(iterations 2);
  ENDPHASE
  PHASE 2  # put the raised foot down
    ACTIONS
      LIPOSE rHip(-0.0741 + slope(com_x) * (-0.403 - 8.23 * slope(com_x)), 473.9, 48.65).time(0.6365),
          rKnee(0.005578 + slope(com_x) * (0.134 + 1.6 * slope(com_x)), 254.5, 22.06).time(0.6731),
          rAnkle(-0.06447, 95.31, 9.443).time(0.6595);
      LIPOSE lHip(-0.0741 + slope(com_x) * (0.336 + 6.63 * slope(com_x)), 411.2, 46.54).time(0.6365),
          lKnee(0.005578 + slope(com_x) * (0.324 - 9 * slope(com_x)), 461.9, 49.05).time(0.6731),
          lAnkle(-0.06447, 230.9, 37.43).time(0.7832);
      LIPOSE bShoulder(-0.03486 + slope(com_x) * (0.54 + 10.9 * slope(com_x)), 62.14, 11.6).time(0.4186),
          bElbow(-0.06452, 55.67, 11.36).time(0.6969);
      VFFB uTorso(1897, 238.7).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(3).after(time 0.8549);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3
    > stand.t(.5, .5);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
