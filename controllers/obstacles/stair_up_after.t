# The step of the right foot from a stair of `rise` (m) past the left one, which stands beyond the last edge.
BEGINSCRIPT stair_up_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.00737, 975.8, 97.16), lTorso2uTorso(-0.2438, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6639, 420.5, 12.23).time(0.1385);
      LIPOSE rKnee(0.3974, 257, 16.13).time(0.06159);
      LIPOSE lKnee(0.3886 + rise * 2.572, 476.7, 19.62).time(0.06492);
      POSE lAnkle(0.05243 + rise * 1.18, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1541, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.0905, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09394);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.247 + rise * 3.66, 239.2, 15.22).time(0.01753);
      LIPOSE rAnkle(-0.103, 78.92, 8.586).time(0.06493);
      LIPOSE lKnee(0.1053, 484, 35.93).time(0.1133);
      LIPOSE lAnkle(0.04203, 457.7, 12.32).time(0.08103);
      VPD uTorso(-0.01671, 397.9, 51.8).joint(lHip);
      COMFB2 -0.0491 -0.4186 j lAnkle
      VPD rThigh(-0.7877, -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2369);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.04543, 206.8, 17.51).time(0.0901);
      LIPOSE rAnkle(0.04598, 63.27, 8.485).time(0.3017);
      LIPOSE lAnkle(-0.1092, 823.6, 11.02).time(0.07925);
      LIPOSE lKnee(-0.0104, 734.4, 25.45).time(0.1303);
      VPD uTorso(-0.0892, 441, 75.36).joint(lHip);
      COMFB2 0.3683 -0.1813 j lAnkle
      VPD rThigh(-0.5383, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
