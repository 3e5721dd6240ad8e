# The step of the right foot after a step down from a box, from the left foot's landing.
BEGINSCRIPT box_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.1689, 1178, 140.3), lTorso2uTorso(-0.2992, 492.6, 53.11);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(-0.2388, 283.5, 10.31).time(0.1484);
      LIPOSE rKnee(1.284, 213, 16.11).time(0.09668);
      LIPOSE lKnee(0.4478, 502.4, 30.77).time(0.07666);
      POSE lAnkle(0.5561, 117.4, 8.203);
      LIPOSE rShoulder(0.0893, 32.37, 4.862).time(0.3084), lShoulder(-0.5421, 38.44, 4.876).time(0.2123);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(0.04733, 400.6, 46.95).joint(lHip);
      VPD rThigh(0.06976, -204.2, -11.04).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1141);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.197, 272.8, 10.28).time(0.03422);
      LIPOSE rAnkle(-0.2834, 76.79, 8.508).time(0.1931);
      LIPOSE lKnee(0.5776, 625.5, 33.97).time(0.07834);
      LIPOSE lAnkle(0.1599, 485.5, 11.53).time(0.1305);
      VPD uTorso(-0.03298, 400.8, 62.93).joint(lHip);
      COMFB2 0.2267 -0.2412 j lAnkle
      VPD rThigh(-0.1632, -137.2, -13.27).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2302);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.3335, 181.2, 15.15).time(0.07388);
      LIPOSE rAnkle(0.4188, 63.93, 8.643).time(0.3664);
      LIPOSE lAnkle(-0.01394, 978.8, 15.37).time(0.1197);
      LIPOSE lKnee(0.3559, 572.5, 23.92).time(0.1734);
      VPD uTorso(-0.2703, 391.1, 83.98).joint(lHip);
      COMFB2 0.4285 -0.1554 j lAnkle
      VPD rThigh(-0.1994, -233.9, -8.613).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
