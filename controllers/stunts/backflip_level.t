# The backflip on nearly level ground: as on a slope, with feedback that suits stronger and weaker jumps. Hips and waist extend less
# the more of the turn is left at the predicted time of landing, and the landing depends on how far the body is ahead of the feet.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip_level(void)
  PHASE 0  # at rest in the squat
    > squat.t(.4);
    TRANSITION to(1).after(time .5 and stable .04);
    TRANSITION to(1).after(time 2.5);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    ACTIONS
      POSE bShoulder(-2.916 + slope(com_x) * (-0.126 + 4.81 * slope(com_x)), 134.9, 71.78);
      POSE bHip(-2.082 + slope(com_x) * (0.44 + 1.82 * slope(com_x)), 549.8, 6.265);
      POSE bKnee(1.667 + slope(com_x) * (0.473 - 4.34 * slope(com_x)), 567.3, 44.56);
      POSE bAnkle(-0.6483 + slope(com_x) * (0.261 - 6.63 * slope(com_x)), 610.5, 10.18);
      POSE waist(0.3211 + slope(com_x) * (-0.172 + 4.4 * slope(com_x)), 265.1, 115),
          lTorso2uTorso(0.5144 + slope(com_x) * (-0.0436 + 3.99 * slope(com_x)), 267.8, 49.07);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2463 + slope(com_x) * (-0.295 + 2.05 * slope(com_x)));
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-3.15 + slope(com_x) * (0.0546 + 8.74 * slope(com_x)), 25.35, 11.31);
      POSE bHip(0.2149 + slope(com_x) * (-0.523 + 2.64 * slope(com_x)), 501.3, 35.65);
      POSE bKnee(0.306 + slope(com_x) * (-0.41 - 4.45 * slope(com_x)), 157, 11.27);
      POSE bAnkle(0.8361 + slope(com_x) * (-0.552 + 5.01 * slope(com_x)), 321.3, 15.77);
      POSE bElbow(-0.08435, 70.54, 10.49);
      POSE waist(-0.3622 + slope(com_x) * (-0.52 - 3.61 * slope(com_x)) + 0.3993 * (com_vx + 0.2397), 1653, 84.29),
          lTorso2uTorso(-0.2965 + slope(com_x) * (0.235 + 1.42 * slope(com_x)), 884.8, 80.36);
    ENDACTIONS
    TRANSITION to(3).after(time 0.294 + slope(com_x) * (-0.456 - 2.82 * slope(com_x)) and nocontact rFoot);
    TRANSITION to(3).after(time .7 + slope(com_x) * (0.695 + 1.36 * slope(com_x)));
  ENDPHASE
  PHASE 3  # tuck, the more the lower the jump (the sum of height and of the rest of the rise is the height of the jump)
    ACTIONS
      POSE bAnkle(-0.6729 + slope(com_x) * (0.113 + 3.3 * slope(com_x)), 89.08, 13.51);
      POSE bKnee(2.546 + slope(com_x) * (0.136 + 4.33 * slope(com_x)) + 0.397 * (com_height + com_vy * com_vy / 19.62 - 1.204), 511.4, 29.95);
      POSE bHip(-2.128 + slope(com_x) * (0.519 + 6.49 * slope(com_x)), 679, 47.12);
      POSE bShoulder(-1.353 + slope(com_x) * (0.31 + 3.08 * slope(com_x)), 102.4, 11.32);
      POSE bElbow(-0.1904, 125, 9.646);
      POSE waist(0.6427 + slope(com_x) * (-0.0516 - 1.42 * slope(com_x)) + 0.6983 * (com_height + com_vy * com_vy / 19.62 - 1.243), 127, 44.62),
          lTorso2uTorso(0.6749 + slope(com_x) * (0.296 + 0.261 * slope(com_x)), 563.6, 53.98);
    ENDACTIONS
    TRANSITION to(4).after(when orientation(uTorso) > 0.514 and when orientation(uTorso) < 2.018);
    TRANSITION to(4).after(time 0.5 + slope(com_x) * (0.142 + 8.12 * slope(com_x)));
    TRANSITION to(5).after(contact rFoot);
  ENDPHASE
  PHASE 4  # extend
    ACTIONS
      POSE bAnkle(-0.1786 + slope(com_x) * (-0.433 - 3.63 * slope(com_x)), 249, 17.88);
      POSE bKnee(0.494 + slope(com_x) * (0.707 - 0.634 * slope(com_x)), 212.3, 11.74);
      POSE bHip(-1.4 + slope(com_x) * (0.28 + 2.66 * slope(com_x)) - 0.3347 * (orientation(uTorso) - spin(uTorso) * (com_height - 0.8364) / com_vy - 0.9609 - 2 * slope(com_x)), 221.1, 28.68);
      POSE bShoulder(-1.095 + slope(com_x) * (0.0518 - 4.49 * slope(com_x)), 96.54, 11.48);
      POSE waist(0.2282 + slope(com_x) * (0.0208 - 0.154 * slope(com_x)) + 0.3346 * (orientation(uTorso) - spin(uTorso) * (com_height - 0.7822) / com_vy - 0.7716 - 2 * slope(com_x)), 382, 36.55),
          lTorso2uTorso(-0.2098 + slope(com_x) * (-0.545 + 5.68 * slope(com_x)), 256.6, 42.87);
    ENDACTIONS
    TRANSITION to(5).after(contact rFoot);
    TRANSITION to(5).after(time 0.6 + slope(com_x) * (-0.259 + 1.94 * slope(com_x)));
  ENDPHASE
  PHASE 5  # land
    ACTIONS
      POSE bAnkle(-0.4581 + slope(com_x) * (-0.12 - 0.0365 * slope(com_x)) - 0.27 * (com_vx + 0.2401), 186, 59.86);
      POSE bKnee(1.662 + slope(com_x) * (0.0267 + 1.25 * slope(com_x)) + 0.5015 * (com_x - x(rFoot) - 0.162), 98.88, 61.65);
      POSE bHip(-1.45 + slope(com_x) * (-0.0759 + 3.5 * slope(com_x)) + 0.2488 * (com_x - x(rFoot) - 0.1182), 154.2, 15.32);
      POSE bShoulder(-1.594 + slope(com_x) * (0.0274 - 7.03 * slope(com_x)), 142.9, 13.36);
      POSE waist(0.2142 - 0.4943 * (com_x - x(rFoot) - 0.1411), 362.7, 41.78);
      VFFB uTorso(486, 194).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(time 0.1942 + slope(com_x) * (-0.0733 + 1.2 * slope(com_x)));
  ENDPHASE
  PHASE 6
    > squat.t(0.8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
