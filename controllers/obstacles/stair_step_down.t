# A step down stairs with the right foot, from above the left foot's tread to the one below it.
BEGINSCRIPT stair_step_down(void)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(0.2338, 912.0, 70.13), lTorso2uTorso(-0.5374, 472.8, 64.52);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.207, 509.6, 13.64).time(0.1556);
      LIPOSE rKnee(0.7829, 279.8, 19.55).time(0.08341);
      LIPOSE lKnee(0.6922, 474.8, 17.37).time(0.1226);
      POSE lAnkle(0.07039, 91.58, 8.871);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.1874, 320.3, 61.71).joint(lHip);
      VPD rThigh(0.1394, -193.1, -22.72).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1061);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.408, 182.6, 11.28).time(0.02434);
      LIPOSE rAnkle(-0.3484, 78.45, 7.456).time(0.04418);
      LIPOSE lKnee(0.02635, 381.5, 52.44).time(0.07898);
      LIPOSE lAnkle(-0.07703, 481.6, 9.253).time(0.09409);
      VPD uTorso(-0.09284, 485.3, 58.85).joint(lHip);
      COMFB2 -0.02368 -0.3919 j lAnkle
      VPD rThigh(-0.3045, -130.4, -12.88).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1192);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.3943, 182.4, 16.04).time(0.06281);
      LIPOSE rAnkle(0.1244, 59.1, 6.61).time(0.2916);
      LIPOSE lAnkle(-0.3004, 821.3, 11.66).time(0.07449);
      LIPOSE lKnee(0.7701, 682.7, 20.28).time(0.107);
      VPD uTorso(-0.2594, 570.4, 76.69).joint(lHip);
      COMFB2 0.2311 -0.2019 j lAnkle
      VPD rThigh(-0.08749 - 0.7754 * (edge_distance(lFoot) - 0.1738), -202.7, -8.027).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
