# The step of the right foot after a step down from a box, from the left foot's landing.
BEGINSCRIPT box_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.178, 1238, 104.1), lTorso2uTorso(-0.2901, 436, 59.78);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(-0.2172, 292.7, 10.79).time(0.1471);
      LIPOSE rKnee(1.209, 197.3, 18.06).time(0.08126);
      LIPOSE lKnee(0.4373, 574.5, 29.87).time(0.0811);
      POSE lAnkle(0.5918, 110.8, 8.07);
      LIPOSE rShoulder(0.07523, 30.65, 4.718).time(0.2569), lShoulder(-0.6061, 31.71, 4.15).time(0.2245);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(0.05054, 392.7, 56.21).joint(lHip);
      VPD rThigh(0.0716, -213, -12.57).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.121);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.072, 232.2, 11.37).time(0.02489);
      LIPOSE rAnkle(-0.3361, 70.32, 8.725).time(0.1723);
      LIPOSE lKnee(0.5545, 559.7, 31).time(0.09017);
      LIPOSE lAnkle(0.1598, 511.6, 12.07).time(0.1109);
      VPD uTorso(-0.0141, 402.4, 64.02).joint(lHip);
      COMFB2 0.1991 -0.262 j lAnkle
      VPD rThigh(-0.1451, -140.1, -12.14).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.236);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.3421, 168.5, 18.5).time(0.07172);
      LIPOSE rAnkle(0.4297, 63.66, 8.168).time(0.3909);
      LIPOSE lAnkle(-0.009295, 849.8, 15.24).time(0.1066);
      LIPOSE lKnee(0.3737, 581.3, 24.68).time(0.1489);
      VPD uTorso(-0.2965, 402.4, 76.74).joint(lHip);
      COMFB2 0.4105 -0.1118 j lAnkle
      VPD rThigh(-0.25, -215.4, -9.24).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
