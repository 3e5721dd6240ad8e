# One step of march, from the contact of the left foot to that of the right; mirrored, it is the next step. The rear foot pushes off
# until the body is over the front foot; after steps on the toes this is immediately the case.
BEGINSCRIPT march_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1208, 1061, 85.74), lTorso2uTorso(-0.2833, 598.2, 60.94);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.4171 + slope * (-0.13 - 4.84 * slope), 312.8, 12.79).time(0.1416);
      LIPOSE rKnee(0.7889 + slope * (-1.52 + 1.52 * slope), 271.3, 14.63).time(0.06417);
      LIPOSE lKnee(0.3097 + slope * (0.418 + 7.13 * slope), 514.8, 21.33).time(0.1054);
      POSE lAnkle(0.07279 + slope * (0.0631 + 2.48 * slope), 128.8, 10.15);
      LIPOSE rShoulder(0.35, 60, 6).time(0.18), lShoulder(-0.75, 60, 6).time(0.18);
      LIPOSE rElbow(-0.1305, 34.56, 2.687).time(0.5606), lElbow(-0.6996, 34.56, 2.687).time(0.5606);
      VPD uTorso(-0.1984 + slope * (2.43 + 1.44 * slope), 335.9, 64.41).joint(lHip);
      VPD rThigh(0.08317 + slope * (0.53 - 0.314 * slope), -164.6, -12.51).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(when com_x > x(lFoot) - 0.16);
    TRANSITION to(1).after(time 0.1086);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.704 + slope * (-1.47 + 3.64 * slope), 246.7, 15.76).time(0.0266);
      LIPOSE rAnkle(-0.2099 + slope * (-2.3 + 7.84 * slope), 73.78, 11.01).time(0.03824);
      LIPOSE lKnee(0.2036 + slope * (-0.741 - 1.74 * slope), 500, 37.12).time(0.07973);
      LIPOSE lAnkle(-0.05146 + slope * (-0.288 - 0.397 * slope), 452, 12.2).time(0.09795);
      VPD uTorso(-0.01133 + slope * (2.57 - 2.8 * slope), 419.8, 50.09).joint(lHip);
      COMFB2 -0.09734 -0.3773 j lAnkle
      VPD rThigh(-1.384 + slope * (-1.41 - 2.09 * slope), -205.8, -25.71).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1992 + slope * (0.882 + 5.07 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.02043 + slope * (-0.13 - 0.955 * slope), 192.9, 17.45).time(0.1036);
      LIPOSE rAnkle(0.09264 + slope * (0.822 - 6.74 * slope), 51.03, 6.101).time(0.3834);
      LIPOSE lAnkle(-0.07235 + slope * (0.414 - 6.47 * slope), 888.5, 12.24).time(0.07097);
      LIPOSE lKnee(0.0772 + slope * (-0.0443 - 1.97 * slope), 850.7, 27.57).time(0.1177);
      VPD uTorso(-0.1084 + slope * (0.215 - 4.27 * slope), 347.2, 56.86).joint(lHip);
      COMFB2 0.2668 -0.1879 j lAnkle
      VPD rThigh(-0.3786 + slope * (-0.899 + 8.92 * slope), -154.2, -8.21).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
