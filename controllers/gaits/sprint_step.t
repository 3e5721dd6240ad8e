# One step of sprint, from the left foot's contact to the right one's; mirrored, it is the next step.
SET TORQUELIMIT = 1000
BEGINSCRIPT sprint_step(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.2343, 932.2, 71.27), lTorso2uTorso(-0.02882, 1028, 92.97);
      POSE lWrist(0, 10, 2), rWrist(0, 10, 2);
      LIPOSE rKnee(2.1, 249.4, 12.42).time(0.04393);
      LIPOSE rAnkle(-0.4393, 82.05, 7.603).time(0.06233);
      LIPOSE lKnee(0.5452, 316.9, 21.78).time(0.1286);
      LIPOSE lAnkle(-0.379, 309.1, 13.77).time(0.1386);
      LIPOSE rShoulder(0.6518, 105.9, 4.758).time(0.1621), lShoulder(-0.5298, 105.9, 4.758).time(0.1621);
      LIPOSE rElbow(-1.39, 55.34, 5.869).time(0.1283), lElbow(-1.653, 55.34, 5.869).time(0.1283);
      VPD uTorso(0.2142, 332.6, 75.75).joint(lHip);
      COMFB2 0.05648 -0.1503 j lAnkle
      VPD rThigh(-0.2038, -294.2, -22.96).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1174);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE lKnee(0.2152, 1259, 24.72).time(0.08881);
      LIPOSE lAnkle(0.5531, 751.6, 10.64).time(0.05369);
      LIPOSE rKnee(1.519, 235, 12.83).time(0.08881);
      VPD uTorso(0.1081, 357.1, 72.12).joint(lHip);
      VFSFB uTorso(96.19).by(lAnkle).speed(3.847);
      COMFB2 0.1292 -0.1255 j lAnkle
      VPD rThigh(-0.644, -316.9, -24.51).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot);
    TRANSITION to(2).after(time 0.1765);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.1853, 345.1, 20.66).time(0.04769);
      LIPOSE rAnkle(-0.1265, 348.3, 17.49).time(0.04852);
      LIPOSE lKnee(0.879, 260.9, 12.1).time(0.04769);
      LIPOSE lAnkle(-0.3988, 71.83, 7.474).time(0.04852);
      VPD lThigh(-0.1289, -242.2, -25.06).joint(lHip);
      COMFB2 -0.009772 -0.137 p pelvis
      VPD rThigh(0.6063, -282.6, -25.06).joint(rHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
