# The take-off and the leap over a gap, from the left foot's contact before it to the right one's beyond it. Its far edge is
# `further` (m) beyond 0.7 m ahead of the left toe.
BEGINSCRIPT leap_step(further)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.2249, 975.8, 97.16), lTorso2uTorso(-0.3411, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.7759 + further * 0.5455 - 0.1747 * (com_vx - 1.249), 420.5, 12.23).time(0.1408);
      LIPOSE rKnee(1.006 + further * 0.2671, 257, 16.13).time(0.06253);
      LIPOSE lKnee(0.3782 + further * 0.4705 + 0.09597 * (com_vx - 1.207), 476.7, 19.62).time(0.09538);
      POSE lAnkle(0.3087 + further * 0.05456, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1905 + further * 0.06076, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.2101 + further * -0.2602 + 0.06415 * (com_vx - 1.106), -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1256 + further * 0.1485 - 0.07462 * (com_vx - 1.272));
  ENDPHASE
  PHASE 1  # push off with the left leg
    ACTIONS
      LIPOSE rKnee(1.189 + further * -0.2974, 239.2, 15.22).time(0.02182);
      LIPOSE rAnkle(-0.3306, 78.92, 8.586).time(0.05224);
      LIPOSE lKnee(0.3169 + further * -0.317, 600, 35.93).time(0.1206);
      LIPOSE lAnkle(0.1894 + further * 0.2878, 500, 12.32).time(0.1318);
      VPD uTorso(0.004462 + further * 0.3153 - 0.1051 * (com_vx - 1.248), 397.9, 51.8).joint(lHip);
      COMFB2 0.03176 -0.296 j lAnkle
      VPD rThigh(-0.5875 - further * 0.5024 + 0.1013 * (com_vx - 1.085), -140, -15.19).joint(rHip).flags(s);
      VFSFB uTorso(60).by(lAnkle).speed(1.743 + further * 1.561);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3033);
    TRANSITION to(2).after(nocontact lFoot);
  ENDPHASE
  PHASE 2  # the right leg reaches ahead
    ACTIONS
      LIPOSE rKnee(0.174, 206.8, 17.51).time(0.09201);
      LIPOSE rAnkle(0.000411, 63.27, 8.485).time(0.2898);
      LIPOSE lAnkle(0.2396, 600, 11.02).time(0.1071);
      LIPOSE lKnee(0.1409, 600, 25.45).time(0.1448);
      VPD uTorso(-0.01986, 441, 75.36).joint(lHip);
      COMFB2 0.2735 -0.1047 j lAnkle
      VPD rThigh(-0.6615, -182, -12).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
