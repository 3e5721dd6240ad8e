# One step of slow_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT slow_walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0 + slope * (0.316 + 0.8 * slope));
      POSE waist(0.03454 + slope * (-0.538 - 2 * slope), 840.9, 102),
          lTorso2uTorso(-0.1856 + slope * (-0.133 - 2.43 * slope), 807.9, 108.4);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.4287 + slope * (1.67 - 8.29 * slope), 313.3, 10.87).time(0.1623);
      LIPOSE rKnee(0.8084 + slope * (-1.18 + 3.62 * slope), 280.1, 14.18).time(0.08813);
      LIPOSE lKnee(0.296 + slope * (0.492 - 1.76 * slope), 474.7, 19.87).time(0.07971);
      POSE lAnkle(0.163 + slope * (0.0406 + 6.85 * slope), 141, 7.106);
      LIPOSE rShoulder(-0.05704 + slope * (0.689 + 2.29 * slope), 50.13, 4.984).time(0.2219),
          lShoulder(-0.5369 + slope * (-0.435 + 0.833 * slope), 50.13, 4.984).time(0.2219);
      LIPOSE rElbow(-0.09371, 25.57, 3.265).time(0.5358), lElbow(-0.6252, 25.57, 3.265).time(0.5358);
      VPD uTorso(-0.05527 + slope * (3.18 - 6.74 * slope), 355.1, 64.77).joint(lHip);
      VPD rThigh(0.1307 + slope * (-0.115 - 3.79 * slope), -188.2, -15.99).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1619);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.199 + slope * (-1.18 + 1.62 * slope), 241.3, 15.93).time(0.0433);
      LIPOSE rAnkle(-0.2681 + slope * (-1.43 + 6.09 * slope), 104.3, 6.872).time(0.06018);
      LIPOSE lKnee(0.3287 + slope * (-0.593 + 4.58 * slope), 513, 44.85).time(0.06685);
      LIPOSE lAnkle(-0.002916 + slope * (-0.719 - 1.42 * slope), 409.4, 10.67).time(0.1077);
      VPD uTorso(-0.0759 + slope * (1.88 - 4.27 * slope), 328.5, 54).joint(lHip);
      COMFB2 0.109 -0.3696 j lAnkle
      VPD rThigh(-0.575 + slope * (-1.84 - 21.7 * slope), -102, -15.25).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1556 + slope * (0.104 + 2.15 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.03134 + slope * (-0.557 - 1.81 * slope), 197.5, 19.54).time(0.1041);
      LIPOSE rAnkle(0.08035 + slope * (0.0456 - 0.202 * slope), 62.32, 9.278).time(0.3285);
      LIPOSE lAnkle(-0.05337 + slope * (0.0668 + 1.09 * slope), 902.6, 14.78).time(0.0743);
      LIPOSE lKnee(0.1684 + slope * (0.314 - 0.492 * slope), 818.7, 24.71).time(0.139);
      VPD uTorso(-0.02833 + slope * (0.424 + 1.65 * slope), 543.6, 75.48).joint(lHip);
      COMFB2 0.2049 -0.08036 j lAnkle
      VPD rThigh(-0.3439 + slope * (-0.267 - 2.84 * slope), -176.1, -7.521).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
