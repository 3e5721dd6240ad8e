# The first step of the walk after stairs down: the left foot stands on the floor, the right one follows from the last tread.
BEGINSCRIPT stair_down_after(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1182, 986.9, 108.1), lTorso2uTorso(-0.3174, 524.4, 75.25);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.4877, 441.1, 11.66).time(0.118);
      LIPOSE rKnee(0.9038, 257, 16.44).time(0.05072);
      LIPOSE lKnee(0.437, 438.9, 22.22).time(0.07635);
      POSE lAnkle(0.07592, 110.1, 11.25);
      LIPOSE rShoulder(0.07855, 32.32, 4.894).time(0.2441), lShoulder(-0.5477, 33.59, 3.962).time(0.2383);
      LIPOSE rElbow(-0.1549, 34, 3.522).time(0.4934), lElbow(-0.7946, 34, 3.542).time(0.5003);
      VPD uTorso(-0.1457, 371.8, 56.83).joint(lHip);
      VPD rThigh(-0.1292, -166.7, -13.39).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1149);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.055, 269.7, 15.7).time(0.03308);
      LIPOSE rAnkle(-0.2457, 74.94, 8.927).time(0.05776);
      LIPOSE lKnee(0.1385, 504, 34.42).time(0.09175);
      LIPOSE lAnkle(-0.008321, 435.5, 11.38).time(0.08728);
      VPD uTorso(-0.05588, 377.1, 52.84).joint(lHip);
      COMFB2 -0.01826 -0.4119 j lAnkle
      VPD rThigh(-0.5023, -109, -14.73).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2477);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.02019, 202, 18.79).time(0.1104);
      LIPOSE rAnkle(0.01318, 62.1, 9.166).time(0.3168);
      LIPOSE lAnkle(-0.09903, 827.9, 10.87).time(0.07712);
      LIPOSE lKnee(0.1792, 667.4, 24.13).time(0.1166);
      VPD uTorso(-0.05206, 441, 72.17).joint(lHip);
      COMFB2 0.2644 -0.1737 j lAnkle
      VPD rThigh(-0.3314, -182, -9.085).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and when x(rFoot) > x(lFoot));
  ENDPHASE
ENDSCRIPT
