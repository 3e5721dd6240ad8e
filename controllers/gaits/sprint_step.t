# One step of sprint, from the left foot's contact to the right one's; mirrored, it is the next step.
SET TORQUELIMIT = 1000
BEGINSCRIPT sprint_step(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.2621, 936.3, 70.24), lTorso2uTorso(-0.05468, 1075, 93.32);
      POSE lWrist(0, 10, 2), rWrist(0, 10, 2);
      LIPOSE rKnee(2.093, 248.2, 11.99).time(0.04595);
      LIPOSE rAnkle(-0.4632, 84.28, 7.173).time(0.0578);
      LIPOSE lKnee(0.5422, 331.9, 22.03).time(0.1198);
      LIPOSE lAnkle(-0.4009, 313.2, 13.87).time(0.1403);
      LIPOSE rShoulder(0.6388, 111.4, 4.656).time(0.1588), lShoulder(-0.5249, 111.4, 4.656).time(0.1588);
      LIPOSE rElbow(-1.372, 52.57, 5.861).time(0.121), lElbow(-1.654, 52.57, 5.861).time(0.121);
      VPD uTorso(0.1984, 344.7, 74.98).joint(lHip);
      COMFB2 0.06426 -0.1585 j lAnkle
      VPD rThigh(-0.2064, -288.1, -22.32).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1161);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE lKnee(0.2142, 1216, 24.89).time(0.09417);
      LIPOSE lAnkle(0.5475, 771.5, 11).time(0.04663);
      LIPOSE rKnee(1.513, 235.3, 13.11).time(0.09417);
      VPD uTorso(0.1248, 382, 76.03).joint(lHip);
      VFSFB uTorso(96.19).by(lAnkle).speed(3.847);
      COMFB2 0.08524 -0.1178 j lAnkle
      VPD rThigh(-0.6359, -334.2, -24.38).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot);
    TRANSITION to(2).after(time 0.1765);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.197, 355.1, 19.89).time(0.04592);
      LIPOSE rAnkle(-0.1485, 352.9, 17.17).time(0.05753);
      LIPOSE lKnee(0.905, 278.2, 12.44).time(0.04592);
      LIPOSE lAnkle(-0.4125, 74.41, 7.503).time(0.05753);
      VPD lThigh(-0.1259, -241.6, -26.15).joint(lHip);
      COMFB2 -0.02618 -0.1296 p pelvis
      VPD rThigh(0.5908, -296.6, -26.15).joint(rHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
