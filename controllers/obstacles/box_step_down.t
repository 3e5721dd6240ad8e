# The step of the right foot down from a box that is `more` (m) higher than 0.25 m, from the left foot's contact on it to the
# right one's below.
BEGINSCRIPT box_step_down(more)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.1261, 929.2, 83.1), lTorso2uTorso(-0.1926, 418.0, 72.17);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.1362, 428.0, 12.84).time(0.2018);
      LIPOSE rKnee(1.284, 239.8, 15.75).time(0.07419);
      LIPOSE lKnee(0.6002, 519.7, 17.45).time(0.1305);
      POSE lAnkle(0.04651, 109.3, 10.36);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(0.0007058, 321.7, 62.78).joint(lHip);
      VPD rThigh(0.2214, -170.0, -17.48).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1394);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.187, 223.9, 15.43).time(0.0225);
      LIPOSE rAnkle(-0.1032, 73.23, 7.949).time(0.09387);
      LIPOSE lKnee(0.1993, 562.9, 42.71).time(0.08359);
      LIPOSE lAnkle(0.2249, 380.6, 9.115).time(0.1432);
      VPD uTorso(-0.304, 385.0, 52.57).joint(lHip);
      COMFB2 -0.0684 -0.1848 j lAnkle
      VPD rThigh(-0.3665, -119.1, -12.53).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2821);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4021 + more * 0.3346, 195.9, 16.99).time(0.03138);
      LIPOSE rAnkle(0.4512 + more * 0.8156, 58.31, 7.904).time(0.3842);
      LIPOSE lAnkle(-0.3997, 755.6, 12.78).time(0.102);
      LIPOSE lKnee(0.6621 + more * 2.215, 768.4, 21.06).time(0.2729);
      VPD uTorso(-0.1693, 506.1, 82.87).joint(lHip);
      COMFB2 0.2798 -0.2451 j lAnkle
      VPD rThigh(-0.474, -179.5, -9.577).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
