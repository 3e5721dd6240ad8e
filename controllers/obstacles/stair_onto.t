# The first step onto stairs with the right foot, from the left foot's contact before the first riser to the right one's above it.
# The first tread is `run` (m) deep; `flat` (m^2) is 0 for usual rises and grows towards lower ones.
BEGINSCRIPT stair_onto(run, flat)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(-0.0002658 + slope(com_x), 945.6, 99.28), lTorso2uTorso(-0.2098, 436.5, 94.41);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.3688 + 2.266 * (run - .33) - 0.5739 * (com_vx - 1.1) - 32.57 * flat, 383.2, 12.64).time(0.1237);
      LIPOSE rKnee(0.9993, 232.5, 16.36).time(0.06878);
      LIPOSE lKnee(0.3903 - 0.3028 * (edge_rise(lFoot) - 0.105) + 0.9031 * (com_vx - 1.1) - 37.14 * flat, 420.6, 18.55).time(0.07555);
      POSE lAnkle(0.08786 + 0.2452 * (com_vx - 1.1) + 64.74 * flat, 126.4, 9.005);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(-0.08007 + 0.3083 * (com_vx - 1.1), 429.2, 40.23).joint(lHip);
      VPD rThigh(0.08972 + 0.1377 * (edge_distance(lFoot) - 0.38) + 15.19 * flat, -168.4, -14.61).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1008);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.49 + 18.76 * flat, 261.7, 15.31).time(0.02173);
      LIPOSE rAnkle(-0.327 - 28.56 * flat, 75.52, 7.562).time(0.04443);
      LIPOSE lKnee(0.06506 - 5.78 * flat, 547.9, 44.35).time(0.09897);
      LIPOSE lAnkle(0.1049 + 25.55 * flat, 439.1, 13.99).time(0.08034);
      VPD uTorso(0.131 + 0.5753 * (run - .33) - 27.78 * flat, 345.0, 46.68).joint(lHip);
      COMFB2 -0.1492 -0.3893 j lAnkle
      VPD rThigh(-0.8861 - 0.1524 * (com_vx - 1.1) - 0.6255 * (edge_distance(lFoot) - 0.38) - 0.8391 * (edge_rise(lFoot) - 0.105) - 28.75 * flat, -119.9, -16.9).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2652);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.7221 - 0.432 * (edge_rise(lFoot) - 0.105) - 0.7727 * (run - .33) - 33.19 * flat, 191.7, 16.78).time(0.1065);
      LIPOSE rAnkle(0.0332 - 21.35 * flat, 58.27, 7.619).time(0.3398);
      LIPOSE lAnkle(-0.224 + 0.06375 * (edge_distance(lFoot) - 0.38) + 12.42 * flat, 787.2, 11.83).time(0.08598);
      LIPOSE lKnee(-0.1047 + 12.75 * flat, 731.2, 22.78).time(0.1322);
      VPD uTorso(-0.159 + 0.4378 * (edge_rise(lFoot) - 0.105) + 0.2397 * (run - .33) - 41.25 * flat, 452.1, 70.58).joint(lHip);
      COMFB2 0.3232 -0.2185 j lAnkle
      VPD rThigh(-0.6253 + 0.3101 * (run - .33) - 0.8826 * (edge_distance(lFoot) - 0.2815) - 9.057 * flat, -236.3, -9.159).joint(rHip).flags(s);
      VFSFB pelvis(300.0).by(lAnkle).speed(0.8458 + 3 * (edge_rise(lFoot) - 0.105) + 2.455 * (run - .33) + 1.101 * (edge_distance(lFoot) - 0.38) - 14.39 * flat);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
