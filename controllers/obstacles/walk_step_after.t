# The next step of the walk after one onto a rise of `rise` (m): the left foot stands above it, the right one follows from below.
BEGINSCRIPT walk_step_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.0932, 922.3, 89.79), lTorso2uTorso(-0.3142, 601.9, 81.77);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6973 - rise * 0.656, 423.6, 10.71).time(0.1018);
      LIPOSE rKnee(0.4107, 186.7, 15.75).time(0.06666);
      LIPOSE lKnee(0.292 + rise * 1.221, 625.3, 19.6).time(0.1306);
      POSE lAnkle(0.01525 + rise * 0.1911, 120.1, 8.237);
      LIPOSE rShoulder(0.09844, 31.66, 4.181).time(0.5157), lShoulder(-0.6213, 33.03, 5.114).time(0.2536);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.156, 368.2, 37.64).joint(lHip);
      VPD rThigh(0.1019, -161.9, -19.38).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1354);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.15 + rise * 3.85, 221.6, 14.94).time(0.003);
      LIPOSE rAnkle(-0.2096, 122.8, 8.086).time(0.03517);
      LIPOSE lKnee(0.08421 + rise * 0.306, 287.7, 38.22).time(0.1604);
      LIPOSE lAnkle(-0.02076, 584.9, 14.56).time(0.1244);
      VPD uTorso(-0.06281, 261.4, 33.27).joint(lHip);
      COMFB2 -0.09067 -0.3682 j lAnkle
      VPD rThigh(-1.1 - rise * 2.3, -99.03, -13.1).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2465);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.004255, 206.8, 19.76).time(0.1145);
      LIPOSE rAnkle(-0.008358, 85.57, 8.726).time(0.282);
      LIPOSE lAnkle(-0.09929, 797, 11.02).time(0.07088);
      LIPOSE lKnee(0.1899, 712.1, 22.53).time(0.1105);
      VPD uTorso(-0.1452, 856, 75.46).joint(lHip);
      COMFB2 0.2443 -0.1792 j lAnkle
      VPD rThigh(-0.3909, -184.6, -3.816).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
