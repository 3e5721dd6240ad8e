# The next step of the walk after one onto a rise of `rise` (m): the left foot stands above it, the right one follows from below.
BEGINSCRIPT walk_step_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1219, 922.3, 89.79), lTorso2uTorso(-0.2874, 601.9, 81.77);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.65, 423.6, 10.71).time(0.09981);
      LIPOSE rKnee(0.3734, 186.7, 15.75).time(0.06866);
      LIPOSE lKnee(0.2928 + rise * 1.418, 625.3, 19.6).time(0.1271);
      POSE lAnkle(0 + rise * 0.107, 120.1, 8.237);
      LIPOSE rShoulder(0.09844, 31.66, 4.181).time(0.5157), lShoulder(-0.6213, 33.03, 5.114).time(0.2536);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1294, 368.2, 37.64).joint(lHip);
      VPD rThigh(0.08066, -161.9, -19.38).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1349);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.137 + rise * 4.114, 221.6, 14.94).time(0.001791);
      LIPOSE rAnkle(-0.2466, 122.8, 8.086).time(0.03951);
      LIPOSE lKnee(0.1104, 287.7, 38.22).time(0.1692);
      LIPOSE lAnkle(-0.01446, 584.9, 14.56).time(0.125);
      VPD uTorso(-0.05146, 261.4, 33.27).joint(lHip);
      COMFB2 -0.08169 -0.3434 j lAnkle
      VPD rThigh(-1.409, -99.03, -13.1).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2411);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.01306, 206.8, 19.76).time(0.1123);
      LIPOSE rAnkle(0.02264, 85.57, 8.726).time(0.2764);
      LIPOSE lAnkle(-0.07431, 797, 11.02).time(0.07317);
      LIPOSE lKnee(0.194, 712.1, 22.53).time(0.115);
      VPD uTorso(-0.1508, 856, 75.46).joint(lHip);
      COMFB2 0.2285 -0.2118 j lAnkle
      VPD rThigh(-0.4141, -184.6, -3.816).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
