# The first step onto stairs with the right foot, from the left foot's contact before the first riser to the right one's above it.
BEGINSCRIPT stair_onto(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(-0.1535, 789.3, 89.12), lTorso2uTorso(-0.2498, 471.3, 98.57);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.4127 + 2 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - 0.3567) + 0.3799 * (edge_distance(lFoot) - 0.4101) + 0.3442 * (edge_rise(lFoot) - 0.105) - 1.049 * (com_vx - 0.8456), 389, 11.89).time(0.1303);
      LIPOSE rKnee(0.9147, 236.4, 13.16).time(0.05566);
      LIPOSE lKnee(0.1516, 500, 21.05).time(0.0516);
      POSE lAnkle(0.07272, 125.7, 8.629);
      LIPOSE rShoulder(-0.01281, 34.09, 4.86).time(0.2475), lShoulder(-0.3895, 38.24, 3.62).time(0.2185);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(-0.09827, 489.1, 43.32).joint(lHip);
      VPD rThigh(0.05045, -231.7, -13.31).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1385);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.232, 254.8, 13.46).time(0.0108);
      LIPOSE rAnkle(-0.1465, 89.33, 6.747).time(0.0554);
      LIPOSE lKnee(0.135, 480.3, 52.13).time(0.1047);
      LIPOSE lAnkle(0.1011, 427.2, 13.83).time(0.08576);
      VPD uTorso(0.2574, 352.6, 54.43).joint(lHip);
      COMFB2 -0.04359 -0.3402 j lAnkle
      VPD rThigh(-0.8749 - 1.72 * (edge_rise(lFoot) - 0.1135), -127, -14.83).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.311);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.7028, 218.2, 17.73).time(0.1144);
      LIPOSE rAnkle(0.1207, 59.11, 6.241).time(0.3093);
      LIPOSE lAnkle(-0.1955, 803.6, 10.94).time(0.08874);
      LIPOSE lKnee(0.06213, 902.8, 23.93).time(0.1391);
      VPD uTorso(-0.009421, 425, 66.4).joint(lHip);
      COMFB2 0.2405 -0.2086 j lAnkle
      VPD rThigh(-0.7259 - 0.8643 * (edge_distance(lFoot) - 0.2671), -261.6, -8.349).joint(rHip).flags(s);
      VFSFB pelvis(270.5).by(lAnkle).speed(0.598 + 1.856 * (edge_distance(lFoot, 2) - edge_distance(lFoot) - 0.231) + 1.264 * (edge_distance(lFoot) - 0.3625));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
