# The next step of the walk after one onto a rise of `rise` (m): the left foot stands above it, the right one follows from below.
BEGINSCRIPT walk_step_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.0932, 922.3, 89.79), lTorso2uTorso(-0.3142, 601.9, 81.77);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.7601 + rise * 0.03657, 423.6, 10.71).time(0.1101);
      LIPOSE rKnee(0.3709 - rise * 0.1588, 186.7, 15.75).time(0.07296);
      LIPOSE lKnee(0.3105 + rise * 2.45, 625.3, 19.6).time(0.1306);
      POSE lAnkle(0.03011 - rise * 0.3302, 120.1, 8.237);
      LIPOSE rShoulder(0.09844, 31.66, 4.181).time(0.5157), lShoulder(-0.6213, 33.03, 5.114).time(0.2536);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1312 + rise * 0.5104, 368.2, 37.64).joint(lHip);
      VPD rThigh(0.1176 + rise * 0.2555, -161.9, -19.38).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.117 + rise * 0.01044);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.108 + rise * 2.105, 221.6, 14.94).time(0.003);
      LIPOSE rAnkle(-0.1645, 122.8, 8.086).time(0.02927);
      LIPOSE lKnee(0.1239 + rise * 0.2317, 287.7, 38.22).time(0.1604);
      LIPOSE lAnkle(0.04363, 584.9, 14.56).time(0.1244);
      VPD uTorso(-0.08856 + rise * 0.4232, 261.4, 33.27).joint(lHip);
      COMFB2 -0.06926 -0.3538 j lAnkle
      VPD rThigh(-0.4869 - rise * 1.995, -99.03, -14.6).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2486 + rise * 0.04982);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.02235 + rise * 0.3746, 206.8, 19.76).time(0.1086);
      LIPOSE rAnkle(0.06193, 85.57, 8.726).time(0.3273);
      LIPOSE lAnkle(-0.08504, 797, 11.02).time(0.07088);
      LIPOSE lKnee(0.2038, 712.1, 22.53).time(0.1105);
      VPD uTorso(-0.1301 - rise * 0.3171, 856, 75.46).joint(lHip);
      COMFB2 0.2628 -0.1645 j lAnkle
      VPD rThigh(-0.4541 - rise * 0.1082, -184.6, -3.816).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
