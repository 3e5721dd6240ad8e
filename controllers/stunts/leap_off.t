# Take-off with both feet: crouch with the arms back, lean, extend legs and arms until the feet leave the ground.
# Argument: lean, the distance of the centre of mass ahead of the feet at push-off, extrapolated with its velocity (m).
SET TORQUELIMIT = 200
BEGINSCRIPT leap_off(lean)
  PHASE 0  # crouch with the arms back, until at rest
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0 + slope(com_x) * (-0.116 - 8.32 * slope(com_x)), 100, 12), bWrist(0, 4, 2);
      LIPOSE bShoulder(0.9477 + slope(com_x) * (0.0341 - 3.84 * slope(com_x)), 65.4902, 8.33193).time(0.323558),
          bElbow(-0.415605, 61.2212, 10.1818).time(0.777012);
      LIPOSE waist(0.224192 + slope(com_x) * (0.21 + 2.54 * slope(com_x)), 634.154, 34.6429).time(0.301578),
          lTorso2uTorso(0.0122033 + slope(com_x) * (0.0318 - 0.63 * slope(com_x)), 615.2, 44.9627).time(0.498828);
      LIPOSE bHip(-1.54803 + slope(com_x) * (0.311 + 1.38 * slope(com_x)), 448.191, 46.1301).time(0.546189);
      LIPOSE bKnee(1.78807 + slope(com_x) * (0.0671 + 1.32 * slope(com_x)), 420.624, 49.5865).time(0.520454);
      LIPOSE bAnkle(-0.518668 + slope(com_x) * (0.0492 + 0.719 * slope(com_x)), 379.234, 30.1261).time(0.995615);
      VFFB uTorso(3078.79, 69.3145).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time .9 + slope(com_x) * (0.0437 + 1.36 * slope(com_x)) and stable .15);
    TRANSITION to(1).after(time 2.4 + slope(com_x) * (0.245 - 2.26 * slope(com_x)));
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1  # the weight forward
    ACTIONS
      LIPOSE bShoulder(-0.227808 + slope(com_x) * (0.156 + 6.36 * slope(com_x)), 131.799, 15.101).time(0.246475);
      VFSFB uTorso(300).by(bAnkle).speed(1.0);
    ENDACTIONS
    TRANSITION to(2).after(when com_x - .5 * x(rFoot) - .5 * x(lFoot) + com_vx / 3.2 > lean);
    TRANSITION to(2).after(time .5 + slope(com_x) * (0.217 + 1.73 * slope(com_x)));
  ENDPHASE
  PHASE 2  # up and forward
    ACTIONS
      LIPOSE bShoulder(-1.57082 + slope(com_x) * (-0.0491 + 1.19 * slope(com_x)), 76.4717, 9.92594).time(0.144006);
      LIPOSE waist(-0.213114 + slope(com_x) * (-0.185 - 0.98 * slope(com_x)), 600.511, 37.4308).time(0.121287),
          lTorso2uTorso(0.217599 + slope(com_x) * (-0.366 + 0.704 * slope(com_x)), 399.2, 35.6353).time(0.0730978);
      LIPOSE bHip(-0.412686 + slope(com_x) * (-0.185 + 0.302 * slope(com_x)), 589.307, 32.5947).time(0.306984);
      LIPOSE bKnee(-0.05 + slope(com_x) * (-0.309 - 1.86 * slope(com_x)), 332.642, 7.61405).time(0.393334);
      LIPOSE bAnkle(0.376328 + slope(com_x) * (-0.697 - 1.1 * slope(com_x)), 109.973, 8.26393).time(0.184871);
    ENDACTIONS
    TRANSITION to(-1).after(nocontact rFoot and nocontact lFoot and time 0.101277);
    TRANSITION to(-1).after(time .5 + slope(com_x) * (-0.0495 + 2.02 * slope(com_x)));
  ENDPHASE
ENDSCRIPT
