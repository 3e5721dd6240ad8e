# The first step down stairs with the right foot, from the left foot's contact before the first edge to the right one's below it.
BEGINSCRIPT stair_off(void)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.1854, 1238.0, 93.24), lTorso2uTorso(-0.1511, 369.2, 72.56);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.007703, 432.4, 15.37).time(0.1662);
      LIPOSE rKnee(1.024, 250.5, 15.29).time(0.09183);
      LIPOSE lKnee(0.8092, 442.8, 19.3).time(0.142);
      POSE lAnkle(0.04445, 121.0, 10.23);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.02039, 250.9, 61.03).joint(lHip);
      VPD rThigh(0.1189, -234.3, -19.46).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1214);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.118, 284.3, 11.88).time(0.02419);
      LIPOSE rAnkle(-0.01935, 78.78, 10.77).time(0.04867);
      LIPOSE lKnee(-0.1174, 572.6, 45.42).time(0.09444);
      LIPOSE lAnkle(-0.5019, 372.6, 12.26).time(0.1059);
      VPD uTorso(-0.488, 333.4, 60.37).joint(lHip);
      COMFB2 -0.05533 -0.3289 j lAnkle
      VPD rThigh(-0.4462, -124.6, -15.71).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1625);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.3244, 172.7, 17.21).time(0.09445);
      LIPOSE rAnkle(0.3128, 61.88, 7.974).time(0.2458);
      LIPOSE lAnkle(-0.06158, 615.5, 12.61).time(0.07638);
      LIPOSE lKnee(0.4444, 819.8, 26.21).time(0.1507);
      VPD uTorso(0.1682, 565.7, 91.04).joint(lHip);
      COMFB2 0.2717 -0.1615 j lAnkle
      VPD rThigh(-0.3943 - 0.771 * (edge_distance(lFoot) - 0.3477), -176.4, -10.8).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
