# One step of run, from the left foot's contact to the right one's; mirrored, it is the next step.
BEGINSCRIPT run_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0.16 + slope * (0.6 - 5.7 * slope), 805.1, 75.85), lTorso2uTorso(-0.3143, 1284, 92.97);
      POSE lWrist(0, 10, 2), rWrist(0, 10, 2);
      LIPOSE rKnee(1.635 + slope * (0.17 - 5.9 * slope), 315.2, 13.9).time(0.07076);
      LIPOSE rAnkle(-0.2139 + slope * (-1.21 - 4.2 * slope), 59.06, 10.87).time(0.04705);
      LIPOSE lKnee(0.6177 + slope * (0.0288 + 0.273 * slope), 356, 14.75).time(0.13);
      LIPOSE lAnkle(-0.1599 + slope * (-0.225 + 2.71 * slope), 548.8, 17.24).time(0.1265);
      LIPOSE rShoulder(0.36, 131.1, 6.453).time(0.1571), lShoulder(-0.45, 131.1, 6.453).time(0.1571);
      LIPOSE rElbow(-1.628, 47.07, 7.263).time(0.1653), lElbow(-1.529, 47.07, 7.263).time(0.1653);
      VPD uTorso(0.07563 + slope * (0.79 + 2.46 * slope), 706.9, 83.48).joint(lHip);
      COMFB2 0.1201 -0.04947 j lAnkle
      VPD rThigh(-0.3637 + slope * (-0.738 - 0.323 * slope), -331, -26.92).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1269 + slope * (0.372 - 1.83 * slope) and when com_height < 0.917 and when com_vx > 1.3);
    TRANSITION to(1).after(time 0.1269 + slope * (0.372 - 1.83 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE lKnee(0.502 + slope * (0.32 + 6.56 * slope), 715.8, 30.32).time(0.02);
      LIPOSE lAnkle(0.3884 + slope * (0.525 - 2.49 * slope), 682, 15.78).time(0.04083);
      LIPOSE rKnee(1.23 + slope * (-0.231 - 1.19 * slope), 160.4, 9.359).time(0.02);
      VPD uTorso(0.1492 + slope * (0.0313 - 0.598 * slope), 482.5, 50.64).joint(lHip);
      VFSFB uTorso(88.02 + slope * (124 + 9.24 * slope)).by(lAnkle).speed(3.152 + slope * (-0.111 + 7.15 * slope));
      COMFB2 0.09548 -0.212 j lAnkle
      VPD rThigh(-0.6625 + slope * (-0.076 - 3.22 * slope), -124.2, -27.22).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot);
    TRANSITION to(2).after(time 0.165);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.18 + slope * (-0.133 + 2.18 * slope), 609.3, 26.66).time(0.02);
      LIPOSE rAnkle(-0.1492 + slope * (0.174 - 1.26 * slope), 799.6, 7.898).time(0.06834);
      LIPOSE lKnee(0.9405 + slope * (0.67 + 0.38 * slope), 198.4, 15.53).time(0.02);
      LIPOSE lAnkle(-0.4339 + slope * (-0.63 - 1.45 * slope), 115.8, 5.74).time(0.06834);
      VPD lThigh(0.07562 + slope * (-0.664 - 0.221 * slope), -233.2, -15.08).joint(lHip);
      COMFB2 0.1434 -0.08497 p pelvis
      VPD rThigh(0.003188 + slope * (0.563 - 0.822 * slope), -455.3, -15.08).joint(rHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
  PHASE 3  # the body is low, for example with more mass: push off harder
    ACTIONS
      LIPOSE lKnee(0.3966, 914.7, 35.24).time(0.02);
      LIPOSE lAnkle(0.5675, 835.3, 18.43).time(0.04083);
      LIPOSE rKnee(1.563, 160.4, 9.359).time(0.02);
      VPD uTorso(0.2513, 482.5, 50.64).joint(lHip);
      VF (51.17, 60.91, 0).on(pelvis).by(lAnkle);
      VFSFB uTorso(80.09).by(lAnkle).speed(3.542);
      COMFB2 0.08828 -0.2528 j lAnkle
      VPD rThigh(-0.8565, -172.4, -27.22).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot);
    TRANSITION to(2).after(time 0.1596);
  ENDPHASE
ENDSCRIPT
