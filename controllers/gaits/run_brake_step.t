# One braking step of run, after a sprint, from the left foot's contact to the right one's; mirrored, it is the next step. On
# level ground, phase 0 is longer and phase 1 holds the pelvis down more than on slopes: weaker joints need this.
SET TORQUELIMIT = 1000
BEGINSCRIPT run_brake_step(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.09965, 907.3, 88.66), lTorso2uTorso(0.02228, 1111, 79.31);
      POSE lWrist(0, 10, 2), rWrist(0, 10, 2);
      LIPOSE rKnee(2.041 - 1.9 * slope(com_x), 234.5, 10.16).time(0.05408);
      LIPOSE rAnkle(-0.3514, 95.42, 7.446).time(0.03811);
      LIPOSE lKnee(0.6075, 358.8, 23.67).time(0.09493);
      LIPOSE lAnkle(-0.2427, 421, 14.07).time(0.1029);
      LIPOSE rShoulder(0.58, 133.8, 4.909).time(0.1937), lShoulder(-0.6791, 133.8, 4.909).time(0.1937);
      LIPOSE rElbow(-1.389, 49.51, 5.859).time(0.1633), lElbow(-1.646, 49.51, 5.859).time(0.1633);
      VPD uTorso(0.2743 - 3 * slope(com_x), 417.1, 84.64).joint(lHip);
      VF (-59.05, -8.43, 0).on(pelvis).by(lAnkle);
      COMFB2 0.02152 -0.1361 j lAnkle
      VPD rThigh(-0.03463, -233.3, -21.37).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.0657 + 0.0063 / (1 + 8000 * slope(com_x) * slope(com_x)));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE lKnee(0.5001 - 1.5 * slope(com_x), 1590, 30.56).time(0.1633);
      LIPOSE lAnkle(0.3167, 330.3, 13.23).time(0.03239);
      LIPOSE rKnee(1.615, 181.2, 13.08).time(0.1633);
      VPD uTorso(0.1832 - 2 * slope(com_x), 472, 71.24).joint(lHip);
      VFSFB uTorso(74.09).by(lAnkle).speed(4.564);
      VF (-29.79, -107 - 33 / (1 + 8000 * slope(com_x) * slope(com_x)), 0).on(pelvis).by(lAnkle);
      COMFB2 -0.001444 -0.1582 j lAnkle
      VPD rThigh(-0.5906, -238.9, -27.91).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot);
    TRANSITION to(2).after(time 0.1722);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4329, 453.3, 27).time(0.02);
      LIPOSE rAnkle(0.1467, 404.9, 18.18).time(0.05783);
      LIPOSE lKnee(1.064, 150.6, 18.32).time(0.02);
      LIPOSE lAnkle(-0.6286, 93.27, 7.928).time(0.05783);
      VPD lThigh(0.05443, -179.1, -22.27).joint(lHip);
      COMFB2 0.02005 -0.1283 p pelvis
      VPD rThigh(0.5016 - 1.2 * slope(com_x), -274.6, -22.27).joint(rHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
