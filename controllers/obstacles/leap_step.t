# The take-off and the leap over a gap, from the left foot's contact before it to the right one's beyond it. Its far edge is
# `further` (m) beyond 0.7 m ahead of the left toe.
BEGINSCRIPT leap_step(further)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1107, 975.8, 97.16), lTorso2uTorso(-0.2924, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.65 + further * 0.6, 420.5, 12.23).time(0.1332);
      LIPOSE rKnee(0.85 + further * 0.3, 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.6 + further * 0.5, 476.7, 19.62).time(0.08662);
      POSE lAnkle(0.1 + further * 0.1, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.17 + further * 0.1, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.0 + further * -0.3, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.16 + further * 0.2);
  ENDPHASE
  PHASE 1  # push off with the left leg
    ACTIONS
      LIPOSE rKnee(1.1 + further * -0.3, 239.2, 15.22).time(0.02076);
      LIPOSE rAnkle(-0.2422, 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.2 + further * -0.3, 600, 35.93).time(0.12);
      LIPOSE lAnkle(0.1 + further * 0.3, 500, 12.32).time(0.15);
      VPD uTorso(0.1 + further * 0.3, 397.9, 51.8).joint(lHip);
      COMFB2 -0.03027 -0.393 j lAnkle
      VPD rThigh(-0.65 - further * 0.5, -140, -15.19).joint(rHip).flags(s);
      VFSFB uTorso(60).by(lAnkle).speed(1.8 + further * 1.5);
    ENDACTIONS
    TRANSITION to(2).after(time 0.26);
    TRANSITION to(2).after(nocontact lFoot);
  ENDPHASE
  PHASE 2  # the right leg reaches ahead
    ACTIONS
      LIPOSE rKnee(0.1, 206.8, 17.51).time(0.1044);
      LIPOSE rAnkle(0.02035, 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(0.5, 600, 11.02).time(0.1);
      LIPOSE lKnee(0.2, 600, 25.45).time(0.1231);
      VPD uTorso(-0.05, 441, 75.36).joint(lHip);
      COMFB2 0.2451 -0.1 j lAnkle
      VPD rThigh(-0.6, -182, -12).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
