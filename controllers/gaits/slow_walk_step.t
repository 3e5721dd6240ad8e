# One step of slow_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT slow_walk_step(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.03454, 840.9, 102), lTorso2uTorso(-0.1856, 807.9, 108.4);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.4287, 313.3, 10.87).time(0.1623);
      LIPOSE rKnee(0.8084, 280.1, 14.18).time(0.08813);
      LIPOSE lKnee(0.296, 474.7, 19.87).time(0.07971);
      POSE lAnkle(0.163, 141, 7.106);
      LIPOSE rShoulder(-0.05704, 50.13, 4.984).time(0.2219), lShoulder(-0.5369, 50.13, 4.984).time(0.2219);
      LIPOSE rElbow(-0.09371, 25.57, 3.265).time(0.5358), lElbow(-0.6252, 25.57, 3.265).time(0.5358);
      VPD uTorso(-0.05527, 355.1, 64.77).joint(lHip);
      VPD rThigh(0.1307, -188.2, -15.99).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1619);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.199, 241.3, 15.93).time(0.0433);
      LIPOSE rAnkle(-0.2681, 104.3, 6.872).time(0.06018);
      LIPOSE lKnee(0.3287, 513, 44.85).time(0.06685);
      LIPOSE lAnkle(-0.002916, 409.4, 10.67).time(0.1077);
      VPD uTorso(-0.0759, 328.5, 54).joint(lHip);
      COMFB2 0.109 -0.3696 j lAnkle
      VPD rThigh(-0.575, -102, -15.25).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1556);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.03134, 197.5, 19.54).time(0.1041);
      LIPOSE rAnkle(0.08035, 62.32, 9.278).time(0.3285);
      LIPOSE lAnkle(-0.05337, 902.6, 14.78).time(0.0743);
      LIPOSE lKnee(0.1684, 818.7, 24.71).time(0.139);
      VPD uTorso(-0.02833, 543.6, 75.48).joint(lHip);
      COMFB2 0.2049 -0.08036 j lAnkle
      VPD rThigh(-0.3439, -176.1, -7.521).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
