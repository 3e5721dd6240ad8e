# The first step onto stairs with the right foot, from the left foot's contact before the first riser to the right one's above it.
# The first tread is `run` (m) deep; `flat` (m^2) is 0 for usual rises and grows towards lower ones.
BEGINSCRIPT stair_onto(run, flat)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(-0.02044, 945.6, 99.28), lTorso2uTorso(-0.2393, 436.5, 94.41);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.3688 + 2.234 * (run - .33) - 0.7042 * (com_vx - 1.1) - 36.66 * flat, 383.2, 12.64).time(0.1237);
      LIPOSE rKnee(0.9993, 232.5, 16.36).time(0.06878);
      LIPOSE lKnee(0.3903 - 0.3028 * (edge_rise(lFoot) - 0.105) + 0.8408 * (com_vx - 1.1) - 38.46 * flat, 420.6, 18.55).time(0.07555);
      POSE lAnkle(0.08786 + 0.2309 * (com_vx - 1.1) + 66.12 * flat, 126.4, 9.005);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(-0.08007 + 0.1731 * (com_vx - 1.1), 429.2, 40.23).joint(lHip);
      VPD rThigh(0.08972 + 0.1377 * (edge_distance(lFoot) - 0.38) + 13.93 * flat, -168.4, -14.61).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1008);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.49 + 10.9 * flat, 261.7, 15.31).time(0.02173);
      LIPOSE rAnkle(-0.327 - 31.49 * flat, 75.52, 7.562).time(0.04443);
      LIPOSE lKnee(0.05628 - 8.208 * flat, 547.9, 44.35).time(0.09897);
      LIPOSE lAnkle(0.01638 + 23.97 * flat, 439.1, 13.99).time(0.08034);
      VPD uTorso(0.131 + 0.5709 * (run - .33) - 31 * flat, 345.0, 46.68).joint(lHip);
      COMFB2 -0.1492 -0.3893 j lAnkle
      VPD rThigh(-0.8756 - 0.1783 * (com_vx - 1.1) - 0.6255 * (edge_distance(lFoot) - 0.38) - 0.8391 * (edge_rise(lFoot) - 0.105) - 28.98 * flat, -119.9, -16.9).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2652);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.7332 - 0.432 * (edge_rise(lFoot) - 0.105) - 0.8293 * (run - .33) - 30.2 * flat, 191.7, 16.78).time(0.1065);
      LIPOSE rAnkle(0.0332 - 15.53 * flat, 58.27, 7.619).time(0.3398);
      LIPOSE lAnkle(-0.2281 + 0.06375 * (edge_distance(lFoot) - 0.38) + 12.23 * flat, 787.2, 11.83).time(0.08598);
      LIPOSE lKnee(-0.06903 + 15.8 * flat, 731.2, 22.78).time(0.1322);
      VPD uTorso(-0.212 + 0.4378 * (edge_rise(lFoot) - 0.105) + 0.1959 * (run - .33) - 45.2 * flat, 452.1, 70.58).joint(lHip);
      COMFB2 0.3232 -0.2185 j lAnkle
      VPD rThigh(-0.627 + 0.3716 * (run - .33) - 0.8826 * (edge_distance(lFoot) - 0.2815) - 12.62 * flat, -236.3, -9.159).joint(rHip).flags(s);
      VFSFB pelvis(300.0).by(lAnkle).speed(0.8097 + 2.417 * (run - .33) + 1.101 * (edge_distance(lFoot) - 0.38) - 12.2 * flat);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
