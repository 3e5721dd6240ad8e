# The step of the walk with the right foot after one down a drop of `depth` (m), from the left foot's contact below it.
BEGINSCRIPT walk_step_landing(depth)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1059, 975.8, 97.16), lTorso2uTorso(-0.1778, 489.3, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.4983, 420.5, 12.23).time(0.1402);
      LIPOSE rKnee(0.7278, 257, 16.13).time(0.07644);
      LIPOSE lKnee(0.4067, 476.7, 19.62).time(0.07881);
      POSE lAnkle(0.1566, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.09326, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.09793, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09603);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.188, 239.2, 15.22).time(0.01639);
      LIPOSE rAnkle(-0.2842, 78.92, 8.586).time(0.05305);
      LIPOSE lKnee(0.118 + depth * 0.6137, 484, 35.93).time(0.08125);
      LIPOSE lAnkle(0.004233, 457.7, 12.32).time(0.09139);
      VPD uTorso(0.02083, 397.9, 51.8).joint(lHip);
      COMFB2 -0.07383 -0.3804 j lAnkle
      VPD rThigh(-0.4176 - 0.1938 * (com_vx - 1.4), -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2537);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.04142, 206.8, 17.51).time(0.1042);
      LIPOSE rAnkle(0.01078, 63.27, 8.485).time(0.2958);
      LIPOSE lAnkle(-0.1229, 823.6, 11.02).time(0.07562);
      LIPOSE lKnee(0.1388, 734.4, 25.45).time(0.1131);
      VPD uTorso(0.05329, 441, 75.36).joint(lHip);
      COMFB2 0.2659 -0.1524 j lAnkle
      VPD rThigh(-0.333, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
