# A step of the walk with the right foot onto a rise of `rise` (m), from the left foot's contact below it to the right one's
# above. `slow` is 1 if the walk is slower than 1.1 m/s, otherwise 0.
BEGINSCRIPT walk_step_onto(rise, slow)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1535, 784.8, 108), lTorso2uTorso(-0.2088, 401.5, 90.39);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3514, 489.1, 11.63).time(0.1497);
      LIPOSE rKnee(0.6389, 257, 14.84).time(0.04459);
      LIPOSE lKnee(0.3689 - rise * 0.4853, 490.7, 8.461).time(0.08662);
      POSE lAnkle(0.03906, 75.34, 11.39);
      LIPOSE rShoulder(0.06543, 31.74, 3.096).time(0.2657), lShoulder(-0.552, 32.14, 5.18).time(0.2305);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1015, 352.3, 62.66).joint(lHip);
      VPD rThigh(0.2267 - rise * 0.08419, -179.1, -20.63).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1239 + rise * 0.02165);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.123 + rise * 3.199 - slow * 0.106, 242, 13.82).time(0.02424);
      LIPOSE rAnkle(-0.3579, 86.39, 3.309).time(0.06235);
      LIPOSE lKnee(0.124 - slow * 0.031, 725.7, 43.88).time(0.08795);
      LIPOSE lAnkle(0.1116 - rise * 0.1783 + slow * 0.02, 765, 19.83).time(0.005719);
      VPD uTorso(0.1028 - rise * 0.1503, 287.1, 83.41).joint(lHip);
      COMFB2 -0.06282 -0.3914 j lAnkle
      VPD rThigh(-0.1009 - rise * 3.103 - slow * (0.1 - rise * 0.48), -113.5, -12.64).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2451 + rise * 0.2214 + slow * (0.032 - rise * 0.227));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.1756 + rise * 1.813 + slow * 0.176, 179.1, 16.9).time(0.1111);
      LIPOSE rAnkle(-0.2317, 61.68, 6.632).time(0.291);
      LIPOSE lAnkle(0.05657 + rise * 0.1822, 953.1, 9.426).time(0.05724);
      LIPOSE lKnee(0.1064, 692.1, 17.77).time(0.1345);
      VPD uTorso(0.009517 + rise * 0.1933 + slow * 0.107, 481.2, 71.6).joint(lHip);
      COMFB2 0.1875 -0.1914 j lAnkle
      VPD rThigh(-0.4472 - rise * 2.407 - slow * 0.072, -208.2, -10.54).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
