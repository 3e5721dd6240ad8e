# A step of the walk with the right foot down a drop of `depth` (m), from the left foot's contact above it to the right one's
# below.
BEGINSCRIPT walk_step_down(depth)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.03595, 923.7, 82.57), lTorso2uTorso(-0.3566, 457.9, 66.23);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.4326, 429.5, 11.61).time(0.1529);
      LIPOSE rKnee(0.9933, 224.5, 17.03).time(0.06972);
      LIPOSE lKnee(0.5549, 606.9, 19.53).time(0.1234);
      POSE lAnkle(0.01264, 109.4, 9.548);
      LIPOSE rShoulder(0.1731, 33.99, 5.161).time(0.202), lShoulder(-0.4314, 36.29, 3.17).time(0.2583);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.142, 323.1, 65.03).joint(lHip);
      VPD rThigh(0.13, -165.9, -18.42).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1045);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.396, 198, 15.45).time(0.02025);
      LIPOSE rAnkle(-0.2309, 73.1, 7.842).time(0.05408);
      LIPOSE lKnee(0.1631, 520.9, 44.92).time(0.08144);
      LIPOSE lAnkle(-0.1586, 308.9, 9.428).time(0.0966);
      VPD uTorso(-0.1151, 357.4, 52.99).joint(lHip);
      COMFB2 -0.08855 -0.3834 j lAnkle
      VPD rThigh(-0.4188, -113.6, -14.74).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2039);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.2654 + depth * 0.4048, 186.2, 16.28).time(0.08032);
      LIPOSE rAnkle(0.1702 + depth * 0.9198, 60.25, 7.723).time(0.2038);
      LIPOSE lAnkle(-0.2539, 772, 11.16).time(0.09021);
      LIPOSE lKnee(0.328 + depth * 2.228, 929, 21.05).time(0.1258);
      VPD uTorso(-0.1887, 462.4, 85.94).joint(lHip);
      COMFB2 0.2709 -0.1709 j lAnkle
      VPD rThigh(-0.3423, -174.4, -8.478).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
