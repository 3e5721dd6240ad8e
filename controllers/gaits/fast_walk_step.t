# One step of fast_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT fast_walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0 + slope * (0.183 - 3.98 * slope));
      POSE waist(-0.2374 + slope * (0.202 + 2.17 * slope), 829.8, 94.05),
          lTorso2uTorso(-0.3554 + slope * (-0.148 - 1.76 * slope), 426.3, 75.54);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.4807 + slope * (-0.00677 - 3.55 * slope), 376.7, 12.59).time(0.09894);
      LIPOSE rKnee(0.8348 + slope * (-0.893 - 0.361 * slope), 232.8, 15.04).time(0.06062);
      LIPOSE lKnee(0.4868 + slope * (0.28 + 5.34 * slope), 466.9, 17.45).time(0.1189);
      POSE lAnkle(0.03773 + slope * (-0.724 + 9.12 * slope), 105, 7.035);
      LIPOSE rShoulder(0.1645 + slope * (-0.485 + 1.83 * slope), 29.57, 4.27).time(0.2015),
          lShoulder(-0.448 + slope * (-0.165 - 1.04 * slope), 29.57, 4.27).time(0.2015);
      LIPOSE rElbow(-0.1341, 29.05, 3.085).time(0.4549), lElbow(-0.7085, 29.05, 3.085).time(0.4549);
      VPD uTorso(-0.04589 + slope * (1.98 - 0.044 * slope), 454.9, 60.86).joint(lHip);
      VPD rThigh(0.02562 + slope * (0.833 + 3.41 * slope), -153, -15.61).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1271);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.12 + slope * (-1.23 + 3.47 * slope), 231.1, 11.12).time(0.02);
      LIPOSE rAnkle(-0.2406 + slope * (-1.3 + 4.24 * slope), 91.58, 5.585).time(0.05776);
      LIPOSE lKnee(0.1149 + slope * (-0.165 - 2.24 * slope), 557.5, 39.75).time(0.08835);
      LIPOSE lAnkle(-0.03129 + slope * (-1.01 + 2.42 * slope), 524.8, 12.45).time(0.1036);
      VPD uTorso(-0.02264 + slope * (1.98 - 0.873 * slope), 402.4, 48.2).joint(lHip);
      COMFB2 -0.06789 -0.3585 j lAnkle
      VPD rThigh(-0.5201 + slope * (-1.65 - 3.97 * slope), -121.3, -15.85).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.201 + slope * (0.251 + 3.37 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.03662 + slope * (-0.423 + 1.78 * slope), 236.5, 19.04).time(0.07853);
      LIPOSE rAnkle(-0.03358 + slope * (0.722 - 6.25 * slope), 70.8, 9.186).time(0.3841);
      LIPOSE lAnkle(-0.05782 + slope * (1.1 - 5.31 * slope), 650.5, 12.67).time(0.05815);
      LIPOSE lKnee(0.08533 + slope * (-0.0644 + 2.11 * slope), 871.1, 28.94).time(0.1189);
      VPD uTorso(-0.09397 + slope * (0.0526 + 0.954 * slope), 378.6, 71.93).joint(lHip);
      COMFB2 0.402 -0.07326 j lAnkle
      VPD rThigh(-0.3555 + slope * (-0.595 + 3.03 * slope), -181.8, -7.001).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
