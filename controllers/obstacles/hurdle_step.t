# The step of the right foot over a hurdle that is `more` (m) higher than 0.2 m, from the left foot's contact before it to the
# right one's behind it.
BEGINSCRIPT hurdle_step(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1107, 975.8, 97.16), lTorso2uTorso(-0.2924, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.55, 420.5, 12.23).time(0.1332);
      LIPOSE rKnee(0.7646, 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.4109, 476.7, 19.62).time(0.08662);
      POSE lAnkle(0.0817, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1998, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.1122, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1083);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.9 + more * 4, 239.2, 15.22).time(0.02076);
      LIPOSE rAnkle(-0.2422, 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.1 + more * 0.1, 484, 35.93).time(0.08936);
      LIPOSE lAnkle(0.05 + more * 0.1, 457.7, 12.32).time(0.0923);
      VPD uTorso(-0.02342, 397.9, 51.8).joint(lHip);
      COMFB2 -0.03027 -0.393 j lAnkle
      VPD rThigh(-1.3 + more * -2.5, -250, -20).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.22);
  ENDPHASE
  PHASE 2  # the shin swings over it
    ACTIONS
      LIPOSE rKnee(0.8 + more * 2, 300, 17.51).time(0.12);
      LIPOSE rAnkle(-0.2, 63.27, 8.485).time(0.2);
      LIPOSE lAnkle(0.05, 600, 11.02).time(0.1);
      LIPOSE lKnee(0.1, 734.4, 25.45).time(0.1231);
      VPD uTorso(-0.05, 441, 75.36).joint(lHip);
      VPD rThigh(-1.3 + more * -2.5, -450, -30).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(1);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE rKnee(0.25 + more * 0.3, 206.8, 17.51).time(0.15);
      LIPOSE rAnkle(0.02035, 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(0.07 + more * 0.1, 823.6, 11.02).time(0.07914);
      LIPOSE lKnee(0.1749, 734.4, 25.45).time(0.1231);
      VPD uTorso(-0.1084, 441, 75.36).joint(lHip);
      COMFB2 0.2451 -0.176 j lAnkle
      VPD rThigh(-0.75 + more * -0.5, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
