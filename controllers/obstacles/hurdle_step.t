# The step of the right foot over a hurdle that is `more` (m) higher than 0.2 m, from the left foot's contact before it to the
# right one's behind it.
BEGINSCRIPT hurdle_step(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.2769, 975.8, 97.16), lTorso2uTorso(-0.391, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.6045, 420.5, 12.23).time(0.09703);
      LIPOSE rKnee(0.4772, 257, 16.13).time(0.05621);
      LIPOSE lKnee(-0.05, 476.7, 19.62).time(0.1089);
      POSE lAnkle(0.07718, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(0.0001053, 368.2, 59.22).joint(lHip);
      VPD rThigh(-0.1042, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.0719);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.957 + more * 7.59, 239.2, 15.22).time(0.0216);
      LIPOSE rAnkle(-0.1056, 78.92, 8.586).time(0.04434);
      LIPOSE lKnee(0.01237 + more * 0.08609, 484, 35.93).time(0.0753);
      LIPOSE lAnkle(0.2163 + more * 0.08085, 457.7, 12.32).time(0.1143);
      VPD uTorso(-0.118, 397.9, 51.8).joint(lHip);
      COMFB2 -0.2174 -0.4021 j lAnkle
      VPD rThigh(-1.36 + more * -2.961, -250, -20).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1906 - 0.09532 * (com_vx - 0.6212));
  ENDPHASE
  PHASE 2  # the shin swings over it
    ACTIONS
      LIPOSE rKnee(0.775 + more * 2.518, 300, 17.51).time(0.1002);
      LIPOSE rAnkle(-0.305, 63.27, 8.485).time(0.2087);
      LIPOSE lAnkle(0.03553, 600, 11.02).time(0.1239);
      LIPOSE lKnee(0.05782, 734.4, 25.45).time(0.07875);
      VPD uTorso(-0.03243, 441, 75.36).joint(lHip);
      VPD rThigh(-1.336 + more * -2.655, -450, -30).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(0.9462);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1824 - -0.007683 * (com_vx - 1.243));
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE rKnee(0.461 + more * 0.3252, 206.8, 17.51).time(0.07637);
      LIPOSE rAnkle(0.1294, 63.27, 8.485).time(0.3618);
      LIPOSE lAnkle(-0.03456 + more * 0.177, 823.6, 11.02).time(0.105);
      LIPOSE lKnee(-0.04283, 734.4, 25.45).time(0.1155);
      VPD uTorso(-0.08215, 441, 75.36).joint(lHip);
      COMFB2 0.1222 -0.2708 j lAnkle
      VPD rThigh(-0.8025 + more * -0.4989 + 0.2324 * (com_vx - 1.282), -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
