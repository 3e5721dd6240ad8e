# One step of fast_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT fast_walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.2374, 829.8, 94.05), lTorso2uTorso(-0.3554, 426.3, 75.54);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.4807 + slope * (0.0694 - 4.01 * slope), 376.7, 12.59).time(0.09894);
      LIPOSE rKnee(0.8348 + slope * (-1.28 + 0.734 * slope), 232.8, 15.04).time(0.06062);
      LIPOSE lKnee(0.4868 + slope * (0.266 + 4.39 * slope), 466.9, 17.45).time(0.1189);
      POSE lAnkle(0.03773 + slope * (-0.139 + 2.63 * slope), 105, 7.035);
      LIPOSE rShoulder(0.1645, 29.57, 4.27).time(0.2015), lShoulder(-0.448, 29.57, 4.27).time(0.2015);
      LIPOSE rElbow(-0.1341, 29.05, 3.085).time(0.4549), lElbow(-0.7085, 29.05, 3.085).time(0.4549);
      VPD uTorso(-0.04589 + slope * (1.79 - 0.234 * slope), 454.9, 60.86).joint(lHip);
      VPD rThigh(0.02562 + slope * (0.697 + 0.0418 * slope), -153, -15.61).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1271);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.12 + slope * (-1.13 + 4.24 * slope), 231.1, 11.12).time(0.02);
      LIPOSE rAnkle(-0.2406 + slope * (-1.52 + 5.15 * slope), 91.58, 5.585).time(0.05776);
      LIPOSE lKnee(0.1149 + slope * (-0.612 - 1.06 * slope), 557.5, 39.75).time(0.08835);
      LIPOSE lAnkle(-0.03129 + slope * (-0.61 - 1.27 * slope), 524.8, 12.45).time(0.1036);
      VPD uTorso(-0.02264 + slope * (2.16 + 0.00966 * slope), 402.4, 48.2).joint(lHip);
      COMFB2 -0.06789 -0.3585 j lAnkle
      VPD rThigh(-0.5201 + slope * (-1.74 - 3.4 * slope), -121.3, -15.85).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.201 + slope * (0.45 + 1.05 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.03662 + slope * (-0.498 + 0.268 * slope), 236.5, 19.04).time(0.07853);
      LIPOSE rAnkle(-0.03358 + slope * (0.778 - 4.72 * slope), 70.8, 9.186).time(0.3841);
      LIPOSE lAnkle(-0.05782 + slope * (0.602 - 3.82 * slope), 650.5, 12.67).time(0.05815);
      LIPOSE lKnee(0.08533 + slope * (0.168 - 3.32 * slope), 871.1, 28.94).time(0.1189);
      VPD uTorso(-0.09397 + slope * (0.247 - 0.605 * slope), 378.6, 71.93).joint(lHip);
      COMFB2 0.402 -0.07326 j lAnkle
      VPD rThigh(-0.3555 + slope * (-0.848 + 6.9 * slope), -181.8, -7.001).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
