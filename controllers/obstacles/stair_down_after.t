# The first step of the walk after stairs down: the left foot stands on the floor, the right one follows from the last tread.
BEGINSCRIPT stair_down_after(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1107, 975.8, 97.16), lTorso2uTorso(-0.3364, 489.3, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.466, 420.5, 12.23).time(0.1332);
      LIPOSE rKnee(1.043, 257, 16.13).time(0.0667);
      LIPOSE lKnee(0.3898, 476.7, 21.24).time(0.08662);
      POSE lAnkle(0.0817, 115.9, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.161, 368.2, 57.3).joint(lHip);
      VPD rThigh(-0.1439, -176.4, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.108);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.131, 239.2, 15.22).time(0.02016);
      LIPOSE rAnkle(-0.2422, 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(0.1402, 504, 35.03).time(0.08936);
      LIPOSE lAnkle(-0.01852, 457.7, 12.56).time(0.0923);
      VPD uTorso(-0.03665, 397.9, 55.59).joint(lHip);
      COMFB2 -0.03027 -0.3939 j lAnkle
      VPD rThigh(-0.49, -116.5, -13.69).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2403);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.0291, 206.8, 17.51).time(0.1044);
      LIPOSE rAnkle(0.02035, 63.27, 8.485).time(0.3068);
      LIPOSE lAnkle(-0.1171, 823.6, 11.02).time(0.07914);
      LIPOSE lKnee(0.1895, 734.4, 25.45).time(0.1234);
      VPD uTorso(-0.06511, 441, 75.36).joint(lHip);
      COMFB2 0.2482 -0.176 j lAnkle
      VPD rThigh(-0.3918, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
