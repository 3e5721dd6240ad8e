# The first step onto stairs with the right foot, from the left foot's contact before the first riser to the right one's above it.
BEGINSCRIPT stair_onto(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(-0.1217, 945.6, 99.28), lTorso2uTorso(-0.2451, 436.5, 94.41);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.3003 + 1.765 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33) - 0.6191 * (com_vx - 1.1), 383.2, 12.64).time(0.1263);
      LIPOSE rKnee(0.8852, 232.5, 16.36).time(0.06888);
      LIPOSE lKnee(0.3806 - 0.3771 * (edge_rise(lFoot) - 0.105) + 0.6698 * (com_vx - 1.1), 420.6, 18.55).time(0.08287);
      POSE lAnkle(0.09934 + 0.3646 * (com_vx - 1.1), 126.4, 9.005);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(-0.02114 + 0.2934 * (com_vx - 1.1), 429.2, 40.23).joint(lHip);
      VPD rThigh(0.09799 - 0.01887 * (edge_distance(lFoot) - 0.38), -168.4, -14.61).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.08826);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.374, 261.7, 15.31).time(0.02091);
      LIPOSE rAnkle(-0.2444, 75.52, 7.562).time(0.04665);
      LIPOSE lKnee(0.153, 547.9, 44.35).time(0.1047);
      LIPOSE lAnkle(0.04409, 439.1, 13.99).time(0.08822);
      VPD uTorso(0.2405 + 0.4871 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33), 345.0, 46.68).joint(lHip);
      COMFB2 -0.06381 -0.4224 j lAnkle
      VPD rThigh(-0.9259 - 0.2226 * (com_vx - 1.1) - 0.4223 * (edge_distance(lFoot) - 0.38) - 0.8267 * (edge_rise(lFoot) - 0.105), -119.9, -16.9).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2695);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.733 - 0.3742 * (edge_rise(lFoot) - 0.105) - 0.6863 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33), 191.7, 16.78).time(0.109);
      LIPOSE rAnkle(0.1058, 58.27, 7.619).time(0.3438);
      LIPOSE lAnkle(-0.2247 + 0.5033 * (edge_distance(lFoot) - 0.38), 787.2, 11.83).time(0.08432);
      LIPOSE lKnee(-0.05723, 731.2, 22.78).time(0.131);
      VPD uTorso(-0.1454 + 0.4873 * (edge_rise(lFoot) - 0.105) + 0.1947 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33), 452.1, 70.58).joint(lHip);
      COMFB2 0.2954 -0.1859 j lAnkle
      VPD rThigh(-0.6222 + 0.2917 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33) - 0.8378 * (edge_distance(lFoot) - 0.2815), -236.3, -9.159).joint(rHip).flags(s);
      VFSFB pelvis(300.0).by(lAnkle).speed(0.6524 + 2.459 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - .33) + 1 * (edge_distance(lFoot) - 0.38));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
