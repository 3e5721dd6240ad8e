# The step of the right foot from a stair of `rise` (m) past the left one, which stands beyond the last edge.
BEGINSCRIPT stair_up_after(rise)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.00737 + slope(com_x), 975.8, 97.16), lTorso2uTorso(-0.2438, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.7175 - rise * 0.178, 420.5, 12.23).time(0.105);
      LIPOSE rKnee(0.398 + rise * 0.06369, 257, 16.13).time(0.04893);
      LIPOSE lKnee(0.4194 + rise * 2.566, 476.7, 19.62).time(0.06233);
      POSE lAnkle(-0.03001 + rise * 0.7046, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.06 + rise * 0.412, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.09922 + rise * 0.2189, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09442);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.215 + rise * 3.051, 239.2, 15.22).time(0.02131);
      LIPOSE rAnkle(-0.1803, 78.92, 8.586).time(0.07341);
      LIPOSE lKnee(0.1408 + rise * 0.6451, 484, 35.93).time(0.1126);
      LIPOSE lAnkle(-0.03305 - rise * 0.5562, 457.7, 12.32).time(0.07245);
      VPD uTorso(rise * -0.05238, 397.9, 51.8).joint(lHip);
      COMFB2 -0.04992 -0.4096 j lAnkle
      VPD rThigh(-0.8794 + rise * 0.2609, -116.5, -15.19).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(.7 + rise * 0.2026);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2262);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.1003 + rise * 0.5388, 206.8, 17.51).time(0.08411);
      LIPOSE rAnkle(0.04128, 63.27, 8.485).time(0.3008);
      LIPOSE lAnkle(-0.2058 - rise * 0.239, 823.6, 11.02).time(0.07415);
      LIPOSE lKnee(0.009395 - rise * 0.1965, 734.4, 25.45).time(0.1418);
      VPD uTorso(-0.03 - rise * 0.166, 441, 75.36).joint(lHip);
      COMFB2 0.3853 -0.2001 j lAnkle
      VPD rThigh(-0.5478 - rise * 0.02711, -182, -8.477).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(.7 + rise * 0.5062);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
