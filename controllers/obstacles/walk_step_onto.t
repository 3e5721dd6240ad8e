# A step of the walk with the right foot onto a rise of `rise` (m), from the left foot's contact below it to the right one's
# above.
BEGINSCRIPT walk_step_onto(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1535, 784.8, 108), lTorso2uTorso(-0.2088, 401.5, 90.39);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3982, 489.1, 11.63).time(0.1533);
      LIPOSE rKnee(0.6413, 257, 14.84).time(0.05289);
      LIPOSE lKnee(0.3368, 490.7, 8.461).time(0.08662);
      POSE lAnkle(0.04387, 75.34, 11.39);
      LIPOSE rShoulder(0.06543, 31.74, 3.096).time(0.2657), lShoulder(-0.552, 32.14, 5.18).time(0.2305);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1198, 352.3, 62.66).joint(lHip);
      VPD rThigh(0.2407, -179.1, -20.63).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1181);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(0.98 + rise * 4.1, 242, 13.82).time(0.02076);
      LIPOSE rAnkle(-0.2176, 86.39, 3.309).time(0.05837);
      LIPOSE lKnee(0.09151, 725.7, 43.88).time(0.08795);
      LIPOSE lAnkle(0.06114, 765, 19.83).time(0.005719);
      VPD uTorso(0.07324, 287.1, 83.41).joint(lHip);
      COMFB2 -0.05154 -0.4276 j lAnkle
      VPD rThigh(-0.35 - rise * 4.5, -113.5, -11.45).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3677);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.1861 + rise * 2.954, 179.1, 16.9).time(0.09785);
      LIPOSE rAnkle(-0.07232, 61.68, 6.632).time(0.2842);
      LIPOSE lAnkle(0.05895 - rise * 0.02855, 953.1, 9.426).time(0.05724);
      LIPOSE lKnee(0.1726, 692.1, 17.77).time(0.1345);
      VPD uTorso(0.00987, 481.2, 71.6).joint(lHip);
      COMFB2 0.1715 -0.2019 j lAnkle
      VPD rThigh(-0.4384 - rise * 2.416, -208.2, -10.13).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
