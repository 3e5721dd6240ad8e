# The last step down stairs with the right foot, from above the left foot's tread to the floor.
# The floor is `drop` (m) below the tread.
BEGINSCRIPT stair_down_last(drop)
  PHASE 0  # the weight shifts onto the left foot
    ACTIONS
      POSE neck2head(-0.1), uTorso2neck(0);
      POSE waist(-0.04902, 707.1, 66.43), lTorso2uTorso(-0.1242, 286.7, 77.63);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.3304 - 0.3302 * (com_vx - 0.5705), 353.3, 7.217).time(0.2496);
      LIPOSE rKnee(0.8696, 190.6, 10.01).time(0.2196);
      LIPOSE lKnee(0.7508, 174, 21.76).time(0.07683);
      POSE lAnkle(0.1748, 87.08, 8.566);
      LIPOSE rShoulder(0.1484, 32.9, 4.768).time(0.2126), lShoulder(-0.4152, 34.36, 3.607).time(0.2259);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.08744, 333.5, 74.82).joint(lHip);
      VPD rThigh(-0.1637, -178.1, -15.23).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09461);
  ENDPHASE
  PHASE 1  # the right leg swings
    ACTIONS
      LIPOSE rKnee(1.792, 303.6, 17.09).time(0.05133);
      LIPOSE rAnkle(-0.2811, 68.25, 8.046).time(0.03392);
      LIPOSE lKnee(0.2864, 438, 43.14).time(0.1589);
      LIPOSE lAnkle(0.06448, 571.1, 13.87).time(0.1349);
      VPD uTorso(0.07836, 414, 56.13).joint(lHip);
      VPD rThigh(-0.4481, -140.1, -13.62).joint(rHip).flags(s);
      VFSFB pelvis(284.1).by(lAnkle).speed(1.206 - 1.224 * (com_x - x(lFoot) + 0.05082));
    ENDACTIONS
    TRANSITION to(2).after(time 0.158 or when com_x > x(lFoot) + 0.1029);
  ENDPHASE
  PHASE 2  # over the edge
    ACTIONS
      LIPOSE rKnee(1.052, 187.8, 15.7).time(0.06038);
      LIPOSE rAnkle(-0.312, 79.17, 8).time(0.07696);
      LIPOSE lKnee(0.4064 + 0.3196 * (drop - 0.1308), 396.6, 30.95).time(0.1749);
      LIPOSE lAnkle(-0.04238, 414, 11.12).time(0.1551);
      VPD uTorso(-0.03124, 585, 72.44).joint(lHip);
      VPD rThigh(-0.3133 - 0.4243 * angle(rKnee) - 0.6905 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)), -232.2, -31.73).joint(rHip).flags(s);
      VFSFB pelvis(128.4).by(lAnkle).speed(1.296 - 1.371 * (com_x - x(lFoot) + 0.01952));
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > x(lFoot) + edge_after(x(lFoot) - 0.1) + 0.01802 and when com_x > x(lFoot) - 0.1247);
    TRANSITION to(3).after(time 0.3);
  ENDPHASE
  PHASE 3  # down onto the tread
    ACTIONS
      LIPOSE rKnee(0.3023, 156.2, 13.54).time(0.0766);
      LIPOSE rAnkle(0.2357, 61.99, 8).time(0.1307);
      LIPOSE lKnee(0.8423 + 1.866 * (drop - 0.1543), 721.6, 17.76).time(0.168);
      LIPOSE lAnkle(-0.136 - 0.7552 * (drop - 0.03596), 559.5, 16.76).time(0.1543);
      VPD uTorso(-0.1393, 305.2, 82.1).joint(lHip);
      VPD rThigh(-0.377 - 0.4527 * angle(rKnee) - 1.416 * (x(lFoot) + edge_after(x(lFoot) - 0.1) - x(pelvis)), -205, -27.34).joint(rHip).flags(s);
      VFSFB pelvis(146.7).by(lAnkle).speed(1.807 - 1.032 * (com_x - x(lFoot) - 0.007441));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
