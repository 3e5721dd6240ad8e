# One step of tiptoe_walk, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT tiptoe_walk_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0 + slope * (-0.01 - 1.99 * slope));
      POSE waist(-0.101 + slope * (-0.306 + 1.47 * slope), 890.8, 104.4),
          lTorso2uTorso(-0.1684 + slope * (-0.126 + 0.763 * slope), 536.9, 77.35);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.5599 + slope * (-0.144 + 2.87 * slope), 484.5, 10.68).time(0.1216);
      LIPOSE rKnee(0.7086 + slope * (-0.533 - 3.54 * slope), 251.5, 18.21).time(0.06526);
      LIPOSE lKnee(0.571 + slope * (0.0633 - 0.175 * slope), 479, 20.48).time(0.08163);
      POSE lAnkle(0.2611 + slope * (-0.522 - 2.53 * slope), 694.2, 21.98);
      LIPOSE rShoulder(0.02401 + slope * (-0.0113 + 4.69 * slope), 32.45, 3.797).time(0.2308),
          lShoulder(-0.4861 + slope * (0.166 - 0.79 * slope), 32.45, 3.797).time(0.2308);
      LIPOSE rElbow(-0.2451, 39.65, 2.574).time(0.5336), lElbow(-0.8238, 39.65, 2.574).time(0.5336);
      VPD uTorso(-0.1063 + slope * (1.97 - 7.55 * slope), 375.9, 61.54).joint(lHip);
      VPD rThigh(0.0421 + slope * (0.0613 + 1.51 * slope), -210.9, -21.4).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.0943);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.271 + slope * (-0.841 - 2.45 * slope), 273.4, 19.6).time(0.0203);
      LIPOSE rAnkle(0.2998 + slope * (-0.114 - 5.35 * slope), 84.95, 7.185).time(0.02597);
      LIPOSE lKnee(0.2076 + slope * (0.188 + 0.513 * slope), 537.5, 32.11).time(0.1074);
      LIPOSE lAnkle(0.3816 + slope * (0.299 + 0.289 * slope), 683.1, 26.91).time(0.08863);
      VPD uTorso(0.006231 + slope * (1.69 - 9.2 * slope), 434.4, 58.14).joint(lHip);
      COMFB2 -0.03753 -0.3739 j lAnkle
      VPD rThigh(-0.5651 + slope * (-0.543 - 2.76 * slope), -120.7, -15.38).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.284 + slope * (0.419 + 6.17 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.03897 + slope * (-0.27 - 3.69 * slope), 167, 19.82).time(0.1259);
      LIPOSE rAnkle(0.5069 + slope * (-0.188 + 0.933 * slope), 238.7, 10.34).time(0.3036);
      LIPOSE lAnkle(0.3255 + slope * (0.173 - 0.799 * slope), 587.1, 22.21).time(0.05728);
      LIPOSE lKnee(0.2003 + slope * (-0.0308 - 0.72 * slope), 612.4, 29.08).time(0.1323);
      VPD uTorso(-0.05153 + slope * (0.473 + 4.28 * slope), 440.5, 92.71).joint(lHip);
      COMFB2 0.2344 -0.188 j lAnkle
      VPD rThigh(-0.3647 + slope * (0.0722 - 1.27 * slope), -240.2, -8.771).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
