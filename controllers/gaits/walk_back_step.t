# One step of walk_back, from the left foot's contact behind to the right one's; mirrored, it is the next step.
BEGINSCRIPT walk_back_step(void)
  PHASE 0  # onto the left foot
    ACTIONS
      LIPOSE lKnee(0.05166, 409.0, 28.51).time(0.07467), lAnkle(0.07302, 271.0, 12.13).time(0.08341);
      LIPOSE rKnee(0.1709, 214.7, 19.89).time(0.07467), rAnkle(0.005721, 133.5, 9.457).time(0.08341);
      LIPOSE rShoulder(-0.3168, 29.99, 6.356).time(0.2977), lShoulder(-0.05967, 29.99, 6.356).time(0.2977);
      LIPOSE bElbow(-0.7067, 38.31, 4.565).time(0.289);
      VPD uTorso(0.08863, 280.7, 57.43).joint(lHip);
      VPD rThigh(-0.3743, -156.1, -21.94).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1114);
  ENDPHASE
  PHASE 1  # lift the right foot and move it back
    ACTIONS
      LIPOSE rKnee(1.177, 170.1, 18.57).time(0.1061), rAnkle(-0.4492, 82.32, 8.391).time(0.1214);
      LIPOSE lKnee(0.1053, 417.2, 33.52).time(0.1242), lAnkle(-0.1163, 398.2, 14.64).time(0.07641);
      VPD uTorso(0.1082, 403.5, 68.28).joint(lHip);
      COMFB2 -0.1918 -0.04733 j lAnkle
      VPD rThigh(-0.08084, -192.8, -23.26).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.262);
  ENDPHASE
  PHASE 2  # put it down behind
    ACTIONS
      LIPOSE rKnee(-0.04402, 211.6, 18.98).time(0.1593), rAnkle(-0.2103, 88.59, 8.694).time(0.1478);
      LIPOSE lKnee(0.361, 474.0, 29.09).time(0.1892), lAnkle(0.04564, 216.0, 13.17).time(0.2358);
      VPD uTorso(-0.1181, 296.6, 57.74).joint(lHip);
      COMFB2 -0.01844 -0.2371 j lAnkle
      VPD rThigh(0.07376, -143.4, -16.03).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .5);
  ENDPHASE
ENDSCRIPT
