# The step of the right foot after a long stride, from the left foot's contact.
BEGINSCRIPT stride_landing(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.04045, 1026.0, 97.16), lTorso2uTorso(-0.3726, 515.5, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.2259, 297.6, 12.23).time(0.1259);
      LIPOSE rKnee(0.7918, 254.6, 16.13).time(0.07884);
      LIPOSE lKnee(0.5102, 556.6, 25).time(0.06179);
      POSE lAnkle(0.1073, 155.5, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.02235, 422.1, 59.12).joint(lHip);
      VPD rThigh(0.1042, -181.8, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1276);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.251, 253.1, 15.22).time(0.02148);
      LIPOSE rAnkle(-0.4654, 78.28, 8.586).time(0.04741);
      LIPOSE lKnee(0.3688, 464.6, 35.93).time(0.0787);
      LIPOSE lAnkle(-0.09649, 515.5, 12.32).time(0.09786);
      VPD uTorso(-0.08646, 369.9, 51.8).joint(lHip);
      COMFB2 0.08176 -0.3281 j lAnkle
      VPD rThigh(-0.6132, -126.4, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2362);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.05, 214.0, 17.51).time(0.08604);
      LIPOSE rAnkle(-0.1943, 60.74, 8.485).time(0.2513);
      LIPOSE lAnkle(-0.2265, 852.6, 11.02).time(0.08163);
      LIPOSE lKnee(0.04965, 695.4, 25.45).time(0.1178);
      VPD uTorso(0.02361, 436.8, 75.36).joint(lHip);
      COMFB2 0.269 -0.1885 j lAnkle
      VPD rThigh(-0.3921, -191.7, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
