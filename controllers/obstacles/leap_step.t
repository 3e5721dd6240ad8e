# The take-off and the leap over a gap, from the left foot's contact before it to the right one's beyond it. Its far edge is
# `further` (m) beyond 0.7 m ahead of the left toe.
BEGINSCRIPT leap_step(further)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1031, 975.8, 97.16), lTorso2uTorso(-0.2847, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.7438 + further * 0.5655 - 0.2 * (com_vx - 1.2), 420.5, 12.23).time(0.1309);
      LIPOSE rKnee(0.9614 + further * 0.2795, 257, 16.13).time(0.05943);
      LIPOSE lKnee(0.4827 + further * 0.5049 + 0.1 * (com_vx - 1.2), 476.7, 19.62).time(0.09896);
      POSE lAnkle(0.2232 + further * 0.05797, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.2395 + further * 0.08849, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.09268 + further * -0.2628 + 0.05 * (com_vx - 1.2), -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1564 + further * 0.1822 - 0.05 * (com_vx - 1.2));
  ENDPHASE
  PHASE 1  # push off with the left leg
    ACTIONS
      LIPOSE rKnee(1.133 + further * -0.3041, 239.2, 15.22).time(0.02331);
      LIPOSE rAnkle(-0.3596, 78.92, 8.586).time(0.04688);
      LIPOSE lKnee(0.2094 + further * -0.3094, 600, 35.93).time(0.103);
      LIPOSE lAnkle(0.03063 + further * 0.2721, 500, 12.32).time(0.1324);
      VPD uTorso(-0.04849 + further * 0.2967 - 0.1 * (com_vx - 1.2), 397.9, 51.8).joint(lHip);
      COMFB2 0.07793 -0.3394 j lAnkle
      VPD rThigh(-0.5908 - further * 0.5095 + 0.05 * (com_vx - 1.2), -140, -15.19).joint(rHip).flags(s);
      VFSFB uTorso(60).by(lAnkle).speed(1.695 + further * 1.481);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2938);
    TRANSITION to(2).after(nocontact lFoot);
  ENDPHASE
  PHASE 2  # the right leg reaches ahead
    ACTIONS
      LIPOSE rKnee(0.1862, 206.8, 17.51).time(0.09667);
      LIPOSE rAnkle(0.01892, 63.27, 8.485).time(0.296);
      LIPOSE lAnkle(0.2749, 600, 11.02).time(0.1141);
      LIPOSE lKnee(0.1297, 600, 25.45).time(0.1288);
      VPD uTorso(-0.1692, 441, 75.36).joint(lHip);
      COMFB2 0.2425 -0.09375 j lAnkle
      VPD rThigh(-0.6573, -182, -12).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
