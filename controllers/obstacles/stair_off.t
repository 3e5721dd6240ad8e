# The first step down stairs with the right foot, from the left foot's contact before the first edge to the right one's below it.
BEGINSCRIPT stair_off(void)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.1307, 1263.0, 86.22), lTorso2uTorso(-0.2163, 362.7, 64.35);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.09759, 413.7, 14.55).time(0.1714);
      LIPOSE rKnee(1.009, 228.5, 14.59).time(0.09657);
      LIPOSE lKnee(0.762, 407.8, 19.24).time(0.1345);
      POSE lAnkle(-0.1306, 113.1, 11.43);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(0.01939, 264.7, 65.82).joint(lHip);
      VPD rThigh(0.1414, -239.9, -17.53).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1117);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.106, 254.8, 13.87).time(0.02191);
      LIPOSE rAnkle(-0.1655, 82.03, 9.438).time(0.04838);
      LIPOSE lKnee(-0.05132, 583.1, 41.19).time(0.07846);
      LIPOSE lAnkle(-0.4143, 366.4, 11.44).time(0.09374);
      VPD uTorso(-0.3447, 351.9, 56.15).joint(lHip);
      COMFB2 -0.0416 -0.3297 j lAnkle
      VPD rThigh(-0.396, -124.7, -14.07).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1635);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.2861, 209.5, 15.84).time(0.08549);
      LIPOSE rAnkle(0.3232, 58.69, 7.219).time(0.2372);
      LIPOSE lAnkle(-0.05995, 595.7, 14.55).time(0.07699);
      LIPOSE lKnee(0.4249, 760.9, 23.14).time(0.151);
      VPD uTorso(0.0331, 546.7, 87.25).joint(lHip);
      COMFB2 0.274 -0.1681 j lAnkle
      VPD rThigh(-0.3434 - 0.7334 * (edge_distance(lFoot) - 0.3644), -155.5, -11.1).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
