# A step of the walk with the right foot down a drop of `depth` (m), from the left foot's contact above it to the right one's
# below.
BEGINSCRIPT walk_step_down(depth)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.04132, 929.2, 83.1), lTorso2uTorso(-0.26, 418.0, 72.17);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.3551, 428.0, 12.84).time(0.156);
      LIPOSE rKnee(0.8859, 239.8, 15.75).time(0.07754);
      LIPOSE lKnee(0.6006, 519.7, 17.45).time(0.1052);
      POSE lAnkle(-0.0008743, 109.3, 10.36);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.01105, 321.7, 62.78).joint(lHip);
      VPD rThigh(0.1039, -170.0, -17.48).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1084);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.181, 223.9, 15.43).time(0.01795);
      LIPOSE rAnkle(-0.2245, 73.23, 7.949).time(0.04744);
      LIPOSE lKnee(0.2268, 562.9, 42.71).time(0.09326);
      LIPOSE lAnkle(-0.1915, 380.6, 9.115).time(0.08381);
      VPD uTorso(0.0332, 385.0, 52.57).joint(lHip);
      COMFB2 -0.03855 -0.4109 j lAnkle
      VPD rThigh(-0.4316 + 0.1524 * (com_vx - 1.3), -119.1, -12.53).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2072);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.3987 + depth * 0.5152, 195.9, 16.99).time(0.08029);
      LIPOSE rAnkle(0.1904 + depth * 0.9432, 58.31, 7.904).time(0.2602);
      LIPOSE lAnkle(-0.3576, 755.6, 12.78).time(0.06606);
      LIPOSE lKnee(0.3341 + depth * 4.199, 768.4, 21.06).time(0.2195);
      VPD uTorso(-0.0863, 506.1, 82.87).joint(lHip);
      COMFB2 0.2218 -0.1862 j lAnkle
      VPD rThigh(-0.4008, -179.5, -9.577).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
