# The step of the right foot down from a box that is `more` (m) higher than 0.25 m, from the left foot's contact on it to the
# right one's below.
BEGINSCRIPT box_step_down(more)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.1187, 930.6, 83.45), lTorso2uTorso(-0.1886, 349.6, 63.8);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.1281, 356.3, 15.1).time(0.1841);
      LIPOSE rKnee(1.274, 237.2, 15.67).time(0.1056);
      LIPOSE lKnee(0.5267, 562.8, 13.71).time(0.136);
      POSE lAnkle(0.005057, 120.2, 10.01);
      LIPOSE rShoulder(0.1271, 33.2, 3.968).time(0.2639), lShoulder(-0.3203, 32.67, 3.253).time(0.2542);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.01903, 293.1, 55.65).joint(lHip);
      VPD rThigh(0.2723, -184.5, -16.56).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1332);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.023, 198, 16.6).time(0.04104);
      LIPOSE rAnkle(-0.1097, 70.42, 7.627).time(0.1052);
      LIPOSE lKnee(0.1945, 571.2, 39.1).time(0.08858);
      LIPOSE lAnkle(0.2009, 383.6, 8.931).time(0.1154);
      VPD uTorso(-0.2952, 347.4, 52.85).joint(lHip);
      COMFB2 -0.05435 -0.1908 j lAnkle
      VPD rThigh(-0.3346, -93.53, -11.65).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2756);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4656 + more * 0.3901, 184, 20.27).time(0.06415);
      LIPOSE rAnkle(0.4771 + more * 1.026, 68.4, 8.653).time(0.4367);
      LIPOSE lAnkle(-0.4221, 803, 14.48).time(0.09726);
      LIPOSE lKnee(0.6338 + more * 2.396, 878.4, 22.67).time(0.2523);
      VPD uTorso(-0.1409, 560.7, 88.04).joint(lHip);
      COMFB2 0.253 -0.2169 j lAnkle
      VPD rThigh(-0.5678, -181.8, -7.627).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
