# The backflip on a slope: rest in the squat, swing down, push off, tuck, extend when the trunk has rotated far enough, and flex the
# legs at landing. Targets and times depend on the slope.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip_slope(void)
  PHASE 0  # at rest in the squat
    > squat.t(.4);
    TRANSITION to(1).after(time .5 and stable .04);
    TRANSITION to(1).after(time 2.5);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    ACTIONS
      POSE bShoulder(-2.919 + slope(com_x) * (-0.126 + 4.81 * slope(com_x)), 130.1, 69.18);
      POSE bHip(-2.102 + slope(com_x) * (0.44 + 1.82 * slope(com_x)), 516.2, 8.157);
      POSE bKnee(1.679 + slope(com_x) * (0.473 - 4.34 * slope(com_x)), 558.8, 40.59);
      POSE bAnkle(-0.6596 + slope(com_x) * (0.261 - 6.63 * slope(com_x)), 641.7, 10.88);
      POSE waist(0.359 + slope(com_x) * (-0.172 + 4.4 * slope(com_x)), 252.5, 110.2),
          lTorso2uTorso(0.5078 + slope(com_x) * (-0.0436 + 3.99 * slope(com_x)), 234.7, 51.68);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2301 + slope(com_x) * (-0.295 + 2.05 * slope(com_x)));
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-3.15 + slope(com_x) * (0.0546 + 8.74 * slope(com_x)), 29.34, 10.66);
      POSE bHip(0.2622 + slope(com_x) * (-0.523 + 2.64 * slope(com_x)), 558.1, 35.24);
      POSE bKnee(0.3444 + slope(com_x) * (-0.41 - 4.45 * slope(com_x)), 164.8, 10.98);
      POSE bAnkle(0.8573 + slope(com_x) * (-0.552 + 5.01 * slope(com_x)), 281.8, 15.48);
      POSE bElbow(-0.09295, 79.71, 10.55);
      POSE waist(-0.4 + slope(com_x) * (-0.52 - 3.61 * slope(com_x)), 1398, 83.31),
          lTorso2uTorso(-0.3 + slope(com_x) * (0.235 + 1.42 * slope(com_x)), 813.3, 95.82);
    ENDACTIONS
    TRANSITION to(3).after(time .3 + slope(com_x) * (-0.456 - 2.82 * slope(com_x)) and nocontact rFoot);
    TRANSITION to(3).after(time .7 + slope(com_x) * (0.695 + 1.36 * slope(com_x)));
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bAnkle(-0.7316 + slope(com_x) * (0.113 + 3.3 * slope(com_x)), 83.73, 13.67);
      POSE bKnee(2.523 + slope(com_x) * (0.136 + 4.33 * slope(com_x)), 497.6, 31.31);
      POSE bHip(-2.172 + slope(com_x) * (0.519 + 6.49 * slope(com_x)), 620.7, 48.03);
      POSE bShoulder(-1.444 + slope(com_x) * (0.31 + 3.08 * slope(com_x)), 91.27, 11.47);
      POSE bElbow(-0.2028, 121.8, 9.486);
      POSE waist(0.6939 + slope(com_x) * (-0.0516 - 1.42 * slope(com_x)), 119.7, 50.51),
          lTorso2uTorso(0.6549 + slope(com_x) * (0.296 + 0.261 * slope(com_x)), 530.6, 54.23);
    ENDACTIONS
    TRANSITION to(4).after(when orientation(uTorso) > 0.5 and when orientation(uTorso) < 1.954);
    TRANSITION to(4).after(time 0.5 + slope(com_x) * (0.142 + 8.12 * slope(com_x)));
    TRANSITION to(5).after(contact rFoot);
  ENDPHASE
  PHASE 4  # extend
    ACTIONS
      POSE bAnkle(-0.2265 + slope(com_x) * (-0.433 - 3.63 * slope(com_x)), 267.1, 19.91);
      POSE bKnee(0.5268 + slope(com_x) * (0.707 - 0.634 * slope(com_x)), 207, 11.13);
      POSE bHip(-1.422 + slope(com_x) * (0.28 + 2.66 * slope(com_x)), 240, 29.26);
      POSE bShoulder(-1.084 + slope(com_x) * (0.0518 - 4.49 * slope(com_x)), 120, 10.94);
      POSE waist(0.2415 + slope(com_x) * (0.0208 - 0.154 * slope(com_x)), 410.1, 41.12),
          lTorso2uTorso(-0.1871 + slope(com_x) * (-0.545 + 5.68 * slope(com_x)), 244.7, 34.82);
    ENDACTIONS
    TRANSITION to(5).after(contact rFoot);
    TRANSITION to(5).after(time 0.6 + slope(com_x) * (-0.259 + 1.94 * slope(com_x)));
  ENDPHASE
  PHASE 5  # land
    ACTIONS
      POSE bAnkle(-0.456 + slope(com_x) * (-0.12 - 0.0365 * slope(com_x)), 170.4, 56.16);
      POSE bKnee(1.633 + slope(com_x) * (0.0267 + 1.25 * slope(com_x)), 92.62, 60.45);
      POSE bHip(-1.445 + slope(com_x) * (-0.0759 + 3.5 * slope(com_x)), 160.3, 17.47);
      POSE bShoulder(-1.498 + slope(com_x) * (0.0274 - 7.03 * slope(com_x)), 173.1, 13.33);
      VFFB uTorso(566.3, 198.1).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(time 0.196 + slope(com_x) * (-0.0733 + 1.2 * slope(com_x)));
  ENDPHASE
  PHASE 6
    > squat.t(0.8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
