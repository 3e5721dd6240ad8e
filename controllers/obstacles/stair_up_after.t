# The step of the right foot from a stair of `rise` (m) past the left one, which stands beyond the last edge.
BEGINSCRIPT stair_up_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1208, 974.5, 66.05), lTorso2uTorso(-0.3294, 457.8, 40.49);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.7315, 373.5, 11.28).time(0.1417);
      LIPOSE rKnee(0.5095, 156.3, 16.61).time(0.03012);
      LIPOSE lKnee(0.3321 + rise * 1.355, 610.5, 17.76).time(0.1079);
      POSE lAnkle(0 + rise * 0.109, 113.7, 8.568);
      LIPOSE rShoulder(0.03429, 39.29, 4.241).time(0.1686), lShoulder(-0.482, 28.52, 2.9).time(0.2393);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1453, 321.1, 65.53).joint(lHip);
      VPD rThigh(0.107, -137, -17.15).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1505);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.088 + rise * 4.526, 135.1, 13.7).time(0.0292);
      LIPOSE rAnkle(-0.2504, 75, 7.304).time(0.05107);
      LIPOSE lKnee(0.1222, 506.2, 33.72).time(0.09839);
      LIPOSE lAnkle(-0.005378, 457.7, 10.9).time(0.1145);
      VPD uTorso(0.04023, 500.1, 57.13).joint(lHip);
      COMFB2 -0.04253 -0.4457 j lAnkle
      VPD rThigh(-0.8131, -122.5, -18.98).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2335);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.03086, 232.5, 17.73).time(0.1021);
      LIPOSE rAnkle(0.07959, 60.22, 8.816).time(0.2998);
      LIPOSE lAnkle(-0.1219, 830.8, 11.82).time(0.08928);
      LIPOSE lKnee(0.1815, 595.7, 17.44).time(0.1217);
      VPD uTorso(-0.07076, 462.5, 93.48).joint(lHip);
      COMFB2 0.2235 -0.1567 j lAnkle
      VPD rThigh(-0.3513, -170.7, -9.734).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
