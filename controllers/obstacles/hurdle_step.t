# The step of the right foot over a hurdle that is `more` (m) higher than 0.2 m, from the left foot's contact before it to the
# right one's behind it.
BEGINSCRIPT hurdle_step(more)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.241, 993.2, 97.16), lTorso2uTorso(-0.391, 459.9, 81.99);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      LIPOSE rAnkle(0.5621, 428.0, 12.23).time(0.09581);
      LIPOSE rKnee(0.5097, 243.0, 16.13).time(0.05442);
      LIPOSE lKnee(0.02927, 485.0, 19.62).time(0.1126);
      POSE lAnkle(0.1062, 119.1, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.01115, 380.4, 59.22).joint(lHip);
      VPD rThigh(-0.03283, -176.1, -14.82).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.07175);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.955 + more * 8.16, 243.9, 15.22).time(0.02219);
      LIPOSE rAnkle(-0.2142, 77.18, 8.586).time(0.04754);
      LIPOSE lKnee(0.006438 + more * 0.08197, 479.5, 35.93).time(0.07979);
      LIPOSE lAnkle(0.1576 + more * 0.08795, 464.5, 12.32).time(0.1138);
      VPD uTorso(-0.09617, 397.9, 51.8).joint(lHip);
      COMFB2 -0.2175 -0.4 j lAnkle
      VPD rThigh(-1.367 + more * -2.669, -242.0, -20).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1913 - 0.09769 * (com_vx - 0.6242));
  ENDPHASE
  PHASE 2  # the shin swings over it
    ACTIONS
      LIPOSE rKnee(0.7133 + more * 2.518, 301.3, 17.51).time(0.1021);
      LIPOSE rAnkle(-0.3466, 61.61, 8.485).time(0.2107);
      LIPOSE lAnkle(0.04961, 614.1, 11.02).time(0.1265);
      LIPOSE lKnee(0.04346, 704.1, 25.45).time(0.07411);
      VPD uTorso(0.01005, 430.7, 75.36).joint(lHip);
      VPD rThigh(-1.353 + more * -2.822, -441.9, -30).joint(rHip).flags(s);
      VFSFB pelvis(150).by(lAnkle).speed(0.9105);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1747 - -0.02016 * (com_vx - 1.226));
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE rKnee(0.4516 + more * 0.3097, 206.1, 17.51).time(0.07962);
      LIPOSE rAnkle(0.06112, 62.9, 8.485).time(0.3547);
      LIPOSE lAnkle(-0.05041 + more * 0.1661, 831.3, 11.02).time(0.108);
      LIPOSE lKnee(0.03048, 818.9, 25.45).time(0.1106);
      VPD uTorso(-0.07914, 436.7, 75.36).joint(lHip);
      COMFB2 0.1354 -0.2681 j lAnkle
      VPD rThigh(-0.8223 + more * -0.512 + 0.2418 * (com_vx - 1.293), -161.3, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
