# The first step down stairs, with the right foot: from the landing of the left foot before the first edge to that of the right
# foot on the first tread.
# Treads are `run` (m) deep, each `drop` (m) lower than the last.
BEGINSCRIPT stair_down_from(run, drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.1), uTorso2neck(0);
      POSE waist(-0.02562, 824.3, 77.43), lTorso2uTorso(0.02472, 458.3, 74.62);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.1793 - 0.058 * (com_vx - 0.6325), 437.9, 14.9).time(0.1657);
      LIPOSE rKnee(1.056, 213.9, 15.38).time(0.05774);
      LIPOSE lKnee(0.5565, 575.1, 20.79).time(0.1039);
      POSE lAnkle(0.02898, 121.3, 11.24);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2206);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(0.03937, 286.5, 72.76).joint(lHip);
      VPD rThigh(0.07956, -225.3, -15.4).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1295 + 0.2784 * (edge_after(x(lFoot) - 0.1) - 0.4192));
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.127, 208.3, 17.16).time(0.06018);
      LIPOSE rAnkle(-0.2159, 70.25, 8.161).time(0.06583);
      LIPOSE lKnee(0.3528 - 0.2954 * (edge_after(x(lFoot) - 0.1) - 0.3298), 539.8, 36.12).time(0.07089);
      LIPOSE lAnkle(0.07376, 506.3, 13.71).time(0.09794);
      VPD uTorso(-0.0211, 402.9, 48.43).joint(lHip);
      VPD rThigh(-0.6163 + 0.2082 * (edge_after(x(lFoot) - 0.1) - 0.4894), -147, -14.25).joint(rHip).flags(s);
      VFSFB pelvis(139.1).by(lAnkle).speed(0.7499 + 1.443 * (run - 0.3443) - 1.5 * (com_x - x(lFoot) + 0.0506));
    ENDACTIONS
    TRANSITION to(2).after(time 0.1387 or when com_x > x(lFoot) + 0.02101);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(0.8911, 188.8, 14.37).time(0.03939);
      LIPOSE rAnkle(-0.09185, 64.2, 6.918).time(0.1042);
      LIPOSE lKnee(0.48 + 0.1901 * (drop - 0.1491), 708.6, 27.18).time(0.1284);
      LIPOSE lAnkle(-0.05328, 437, 13.37).time(0.03908);
      VPD uTorso(-0.1463, 449.9, 69.84).joint(lHip);
      VPD rThigh(0.04483 - 0.4913 * angle(rKnee) - 1.329 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.8456 * (edge_after(x(lFoot) - 0.1) - 0.3805), -312.2, -23.15).joint(rHip).flags(s);
      VFSFB pelvis(184.1).by(lAnkle).speed(0.9142 + 1.176 * (run - 0.3318) - 1.575 * (com_x - x(lFoot) + 0.02407));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.03679 and when com_x > x(lFoot) - 0.1531);
    TRANSITION to(3).after(time 0.3);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.2023, 189.6, 17.57).time(0.09882);
      LIPOSE rAnkle(0.1893, 52.33, 8).time(0.1521);
      LIPOSE lKnee(1.061 + 3.332 * (drop - 0.1432), 650.9, 19.02).time(0.1151);
      LIPOSE lAnkle(-0.2567 - 1.29 * (drop - 0.1562), 594.5, 12.92).time(0.1262);
      VPD uTorso(-0.05264, 555.7, 69.72).joint(lHip);
      VPD rThigh(0.07595 - 1.005 * (drop - 0.1214) - 0.5681 * angle(rKnee) - 1.362 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)) - 0.7983 * (edge_after(x(lFoot) - 0.1) - 0.4176), -359.7, -20.03).joint(rHip).flags(s);
      VFSFB pelvis(137.9).by(lAnkle).speed(0.8582 + 1.355 * (run - 0.33) - 1.5 * (com_x - x(lFoot) - 0.05962));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
