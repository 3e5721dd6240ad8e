# A step down stairs with the right foot, from above the left foot's tread to the one below it.
BEGINSCRIPT stair_step_down(void)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(0.3913, 908.4, 61.39), lTorso2uTorso(-0.3683, 507.7, 63.09);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.2461, 439.4, 13.99).time(0.1501);
      LIPOSE rKnee(0.7935, 274.1, 20.08).time(0.07441);
      LIPOSE lKnee(0.6148, 478.9, 17.61).time(0.124);
      POSE lAnkle(0.1939, 90.04, 9.652);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.1564, 339.0, 62.21).joint(lHip);
      VPD rThigh(0.1014, -190.2, -24.15).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1151);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.423, 175.3, 12.2).time(0.02659);
      LIPOSE rAnkle(-0.4687, 85.29, 7.206).time(0.05007);
      LIPOSE lKnee(-0.1224, 406.6, 51.99).time(0.07413);
      LIPOSE lAnkle(-0.006943, 521.4, 11.07).time(0.1005);
      VPD uTorso(0.06564, 493.3, 56.17).joint(lHip);
      COMFB2 -0.02592 -0.4288 j lAnkle
      VPD rThigh(-0.3382, -128.8, -13.83).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1276);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4964, 166.2, 13.62).time(0.05899);
      LIPOSE rAnkle(0.1322, 59.11, 7.213).time(0.3092);
      LIPOSE lAnkle(-0.22, 802.1, 13.01).time(0.07678);
      LIPOSE lKnee(0.9171, 724.0, 22.29).time(0.1222);
      VPD uTorso(-0.2119, 571.9, 70.18).joint(lHip);
      COMFB2 0.2279 -0.2026 j lAnkle
      VPD rThigh(-0.0736 - 0.7915 * (edge_distance(lFoot) - 0.1827), -195.0, -8.37).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
