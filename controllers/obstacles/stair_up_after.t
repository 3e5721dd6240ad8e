# The step of the right foot from a stair of `rise` (m) past the left one, which stands beyond the last edge.
BEGINSCRIPT stair_up_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1048, 975.8, 97.16), lTorso2uTorso(-0.3235, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6443, 420.5, 12.23).time(0.1332);
      LIPOSE rKnee(0.406, 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.3758 + rise * 2.385, 476.7, 19.62).time(0.08662);
      POSE lAnkle(0.0881 + rise * 0.8658, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.2236, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.04487, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1695);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.171 + rise * 3.769, 239.2, 15.22).time(0.02076);
      LIPOSE rAnkle(-0.1698, 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.1536, 484, 35.93).time(0.08936);
      LIPOSE lAnkle(-0.01033, 457.7, 12.32).time(0.0923);
      VPD uTorso(0.01312, 397.9, 51.8).joint(lHip);
      COMFB2 -0.05021 -0.4034 j lAnkle
      VPD rThigh(-0.8394, -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2385);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.03099, 206.8, 17.51).time(0.1044);
      LIPOSE rAnkle(0.05014, 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(-0.04368, 823.6, 11.02).time(0.07914);
      LIPOSE lKnee(0.1276, 734.4, 25.45).time(0.1231);
      VPD uTorso(-0.09698, 441, 75.36).joint(lHip);
      COMFB2 0.2722 -0.1925 j lAnkle
      VPD rThigh(-0.4667, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
