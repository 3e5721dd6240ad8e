# The first step onto stairs with the right foot, from the left foot's contact before the first riser to the right one's above it.
BEGINSCRIPT stair_onto(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(-0.02892, 945.6, 99.28), lTorso2uTorso(-0.2228, 436.5, 94.41);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.3401 + 2.008 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33) - 0.6746 * (com_vx - 1.1), 383.2, 12.64).time(0.1291);
      LIPOSE rKnee(0.9898, 232.5, 16.36).time(0.06811);
      LIPOSE lKnee(0.4155 - 0.3215 * (edge_rise(lFoot) - 0.105) + 0.541 * (com_vx - 1.1), 420.6, 18.55).time(0.08052);
      POSE lAnkle(0.07864 + 0.02546 * (com_vx - 1.1), 126.4, 9.005);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(-0.08833 + 0.2467 * (com_vx - 1.1), 429.2, 40.23).joint(lHip);
      VPD rThigh(0.0687 - 0.05177 * (edge_distance(lFoot) - 0.38), -168.4, -14.61).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.101);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.445, 261.7, 15.31).time(0.02595);
      LIPOSE rAnkle(-0.2915, 75.52, 7.562).time(0.04473);
      LIPOSE lKnee(0.05011, 547.9, 44.35).time(0.1009);
      LIPOSE lAnkle(0.02235, 439.1, 13.99).time(0.08187);
      VPD uTorso(0.1222 + 0.7466 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33), 345.0, 46.68).joint(lHip);
      COMFB2 -0.1468 -0.3565 j lAnkle
      VPD rThigh(-0.9106 - 0.2509 * (com_vx - 1.1) - 0.5707 * (edge_distance(lFoot) - 0.38) - 0.7804 * (edge_rise(lFoot) - 0.105), -119.9, -16.9).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2687);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.7401 - 0.3806 * (edge_rise(lFoot) - 0.105) - 0.696 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33), 191.7, 16.78).time(0.1088);
      LIPOSE rAnkle(0.05668, 58.27, 7.619).time(0.331);
      LIPOSE lAnkle(-0.2136 + 0.03989 * (edge_distance(lFoot) - 0.38), 787.2, 11.83).time(0.08557);
      LIPOSE lKnee(-0.0563, 731.2, 22.78).time(0.123);
      VPD uTorso(-0.2141 + 0.454 * (edge_rise(lFoot) - 0.105) + 0.1136 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33), 452.1, 70.58).joint(lHip);
      COMFB2 0.3141 -0.2094 j lAnkle
      VPD rThigh(-0.6265 + 0.2342 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33) - 0.9444 * (edge_distance(lFoot) - 0.2815), -236.3, -9.159).joint(rHip).flags(s);
      VFSFB pelvis(300.0).by(lAnkle).speed(0.736 + 2.352 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33) + 1.186 * (edge_distance(lFoot) - 0.38));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
