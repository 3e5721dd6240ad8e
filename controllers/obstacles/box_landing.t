# The step of the right foot after a step down from a box, from the left foot's landing.
BEGINSCRIPT box_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.2266, 1054, 104), lTorso2uTorso(-0.2325, 503.1, 78.98);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(-0.248, 300, 12.43).time(0.1973);
      LIPOSE rKnee(1.107, 257, 14.68).time(0.07775);
      LIPOSE lKnee(0.5659, 484.6, 25).time(0.04855);
      POSE lAnkle(0.5296, 113.3, 8.951);
      LIPOSE rShoulder(0.1206, 26.89, 4.079).time(0.1344), lShoulder(-0.5849, 33.92, 3.689).time(0.2204);
      LIPOSE rElbow(-0.1767, 34, 3.237).time(0.5274), lElbow(-0.8513, 34, 3.623).time(0.5713);
      VPD uTorso(0.1013, 400, 48.36).joint(lHip);
      VPD rThigh(0.02296, -181, -12.85).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1042);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.074, 206.5, 17.33).time(0.01117);
      LIPOSE rAnkle(-0.4625, 86, 8.712).time(0.1345);
      LIPOSE lKnee(0.5699, 484, 35.95).time(0.1392);
      LIPOSE lAnkle(0.1346, 438.1, 12.48).time(0.09988);
      VPD uTorso(-0.0364, 463.3, 56.35).joint(lHip);
      COMFB2 0.2113 -0.3012 j lAnkle
      VPD rThigh(-0.1261, -130, -15.53).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2295);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4348, 193.4, 17.12).time(0.1341);
      LIPOSE rAnkle(0.4887, 46.26, 8.659).time(0.4592);
      LIPOSE lAnkle(-0.0333, 966, 13.73).time(0.1084);
      LIPOSE lKnee(0.4346, 658.2, 23.84).time(0.09101);
      VPD uTorso(-0.2431, 441, 72.02).joint(lHip);
      COMFB2 0.3437 -0.1435 j lAnkle
      VPD rThigh(-0.195, -182, -8.238).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
