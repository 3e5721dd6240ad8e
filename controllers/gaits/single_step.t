# One step forward from the stand: the right foot forward, then the left beside it.
BEGINSCRIPT single_step(void)
  PHASE 0  # lean forward, lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.1576, 573.9, 44.47),
          lTorso2uTorso(-0.0732, 445.3, 36.79);
      LIPOSE rHip(-0.7376, 379.2, 19.14).time(0.2925), rKnee(0.8778, 365.8, 24.86).time(0.09884),
          rAnkle(-0.06767, 83.81, 5.636).time(0.1331);
      LIPOSE lAnkle(-0.09021, 191.3, 42.85).time(0.3005), lHip(0.01929, 379.2, 38.32).time(0.2925),
          lKnee(-0.05, 479.5, 49.56).time(0.4472);
      LIPOSE lShoulder(-0.2574, 73.37, 4.697).time(0.2366), rShoulder(0.1319, 73.37, 4.697).time(0.2366);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3999);
  ENDPHASE
  PHASE 1  # set it down ahead
    ACTIONS
      LIPOSE rHip(-0.5513, 365.8, 29.93).time(0.1004), rKnee(0.02927, 431.3, 34.33).time(0.0769),
          rAnkle(0.02851, 221, 16.23).time(0.09937);
      LIPOSE lHip(0.03174, 365.8, 85.19).time(0.3978), lAnkle(0.2616, 221, 31.6).time(0.2507);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time 0.4904);
  ENDPHASE
  PHASE 2  # over the right foot, the left one follows
    ACTIONS
      LIPOSE rHip(-0.02836, 481.2, 61.4).time(0.5762), rKnee(0.2193, 389.6, 38.53).time(0.3484),
          rAnkle(-0.1231, 255.1, 32.18).time(0.3105);
      LIPOSE lKnee(0.8234, 287, 35.46).time(0.183), lHip(-0.357, 369.8, 28.51).time(0.3255),
          lAnkle(-0.118, 43.98, 14.63).time(0.3709);
      VFFB uTorso(1372, 366.4).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.5252);
  ENDPHASE
  PHASE 3
    ACTIONS
      MATCH lHip.to(rHip).time(0.227), lKnee.to(rKnee).time(0.227), lAnkle.to(rAnkle).time(0.227);
      LIPOSE rHip(0.1915, 369.1, 75.99).time(0.4248), rKnee(0.09594, 420.1, 50.68).time(0.6752),
          bShoulder(-0.0514, 40.27, 9.078).time(0.2674);
      VFFB uTorso(1112, 324.9).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.573);
  ENDPHASE
ENDSCRIPT
