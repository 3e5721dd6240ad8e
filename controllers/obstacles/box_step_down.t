# The step of the right foot down from a box that is `more` (m) higher than 0.25 m, from the left foot's contact on it to the
# right one's below.
BEGINSCRIPT box_step_down(more)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.1145, 852.8, 81.37), lTorso2uTorso(-0.1943, 328, 54.22);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.1354, 360.9, 18.44).time(0.1631);
      LIPOSE rKnee(1.283, 227.5, 16.6).time(0.1004);
      LIPOSE lKnee(0.5427, 523, 13.46).time(0.132);
      POSE lAnkle(0.04196, 109.6, 10.92);
      LIPOSE rShoulder(0.1378, 29.8, 3.911).time(0.2538), lShoulder(-0.3337, 28.24, 3.151).time(0.2432);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.008128, 225, 63.39).joint(lHip);
      VPD rThigh(0.288, -188.8, -12.45).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1179);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.043, 227.2, 14.48).time(0.04663);
      LIPOSE rAnkle(-0.1087, 70.64, 7.807).time(0.1015);
      LIPOSE lKnee(0.1795, 640.8, 44.61).time(0.1077);
      LIPOSE lAnkle(0.1818, 383.4, 7.71).time(0.1347);
      VPD uTorso(-0.3211, 329.3, 59.42).joint(lHip);
      COMFB2 -0.03112 -0.1908 j lAnkle
      VPD rThigh(-0.3018, -90.7, -13.47).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3156);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.5433 + more * 0.4018, 167.1, 21.64).time(0.08664);
      LIPOSE rAnkle(0.4265 + more * 0.9915, 79.8, 7.914).time(0.4131);
      LIPOSE lAnkle(-0.4305, 796.8, 13.51).time(0.0548);
      LIPOSE lKnee(0.6384 + more * 2.054, 1012, 20.97).time(0.2341);
      VPD uTorso(-0.1324, 525.2, 91.01).joint(lHip);
      COMFB2 0.2313 -0.2 j lAnkle
      VPD rThigh(-0.5606, -193.9, -8.464).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
