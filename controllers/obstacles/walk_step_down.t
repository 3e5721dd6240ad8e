# A step of the walk with the right foot down a drop of `depth` (m), from the left foot's contact above it to the right one's
# below.
BEGINSCRIPT walk_step_down(depth)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.04132, 929.2, 83.1), lTorso2uTorso(-0.39, 418.0, 72.17);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.3858, 428.0, 12.84).time(0.156);
      LIPOSE rKnee(0.8723, 239.8, 15.75).time(0.07541);
      LIPOSE lKnee(0.6127, 519.7, 17.45).time(0.1073);
      POSE lAnkle(0.01039, 109.3, 10.36);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.1471, 321.7, 62.78).joint(lHip);
      VPD rThigh(0.105, -170.0, -17.48).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1106);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.188, 223.9, 15.43).time(0.02191);
      LIPOSE rAnkle(-0.2324, 73.23, 7.949).time(0.04953);
      LIPOSE lKnee(0.2123, 562.9, 42.71).time(0.08541);
      LIPOSE lAnkle(-0.1714, 380.6, 9.115).time(0.09895);
      VPD uTorso(-0.09431, 385.0, 52.57).joint(lHip);
      COMFB2 -0.05152 -0.3664 j lAnkle
      VPD rThigh(-0.4035, -119.1, -12.53).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1996);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.2667 + depth * 0.3809, 195.9, 16.99).time(0.088);
      LIPOSE rAnkle(0.1906 + depth * 1.008, 58.31, 7.904).time(0.2534);
      LIPOSE lAnkle(-0.2423, 755.6, 12.78).time(0.07697);
      LIPOSE lKnee(0.3079 + depth * 2.163, 768.4, 21.06).time(0.1389);
      VPD uTorso(-0.1883, 506.1, 82.87).joint(lHip);
      COMFB2 0.2599 -0.1807 j lAnkle
      VPD rThigh(-0.3566, -179.5, -9.577).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
