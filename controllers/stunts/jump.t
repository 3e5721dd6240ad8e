# A vertical jump from the stand.
SCRIPTS jump_from_crouch.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT jump(void)
  PHASE 0  # crouch with the arms back, until at rest
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0, 100, 12), bWrist(-0.007803, 2.01, 2.092);
      LIPOSE bShoulder(0.8054 + slope(com_x) * (0.319 + 0.0357 * slope(com_x)), 80.24, 17.19).time(0.4525),
          bElbow(-0.2102, 62.74, 9.782).time(0.5872);
      LIPOSE waist(0.03602 + slope(com_x) * (0.389 - 1.5 * slope(com_x)), 814.5, 40.28).time(0.8186),
          lTorso2uTorso(-0.07829, 606, 53.89).time(0.5054);
      LIPOSE bHip(-1.365 + slope(com_x) * (0.112 - 3.24 * slope(com_x)), 496.2, 37.41).time(0.711);
      LIPOSE bKnee(1.598 + slope(com_x) * (-0.132 + 3.18 * slope(com_x)), 432.3, 39.35).time(0.5733);
      LIPOSE bAnkle(-0.4699 + slope(com_x) * (-0.128 - 1.52 * slope(com_x)), 290.1, 45.16).time(0.6763);
      VFFB uTorso(2087, 165.9).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time .9 and stable .25);
    TRANSITION to(1).after(time 2.2);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    > jump_from_crouch();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
