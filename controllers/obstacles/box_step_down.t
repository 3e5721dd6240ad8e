# The step of the right foot down from a box that is `more` (m) higher than 0.25 m, from the left foot's contact on it to the
# right one's below.
BEGINSCRIPT box_step_down(more)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.175), uTorso2neck(-0.05637);
      POSE waist(-0.187, 941.4, 91.22), lTorso2uTorso(-0.1828, 334.9, 72.7);
      POSE lWrist(0.1038, 5.589, 2.827), rWrist(0.04065, 4.553, 2.477);
      LIPOSE rAnkle(0.1217, 420.5, 12.41).time(0.2193);
      LIPOSE rKnee(1.477, 226.4, 16.6).time(0.09848);
      LIPOSE lKnee(0.6296, 633.5, 20.62).time(0.1407);
      POSE lAnkle(0.05094, 109.1, 10.29);
      LIPOSE rShoulder(0.1325, 30.34, 5.363).time(0.2055), lShoulder(-0.3435, 45.37, 3.456).time(0.2104);
      LIPOSE rElbow(-0.1978, 35.53, 4.202).time(0.538), lElbow(-0.6362, 40.64, 3.847).time(0.677);
      VPD uTorso(0.00984, 330.5, 66.07).joint(lHip);
      VPD rThigh(0.161, -150.8, -19.49).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1074);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.184, 215.7, 16.52).time(0.0455);
      LIPOSE rAnkle(-0.07539, 75.41, 8.135).time(0.09052);
      LIPOSE lKnee(0.1985, 490.9, 41.76).time(0.1111);
      LIPOSE lAnkle(0.1485, 359.7, 9.064).time(0.1347);
      VPD uTorso(-0.291, 388.3, 53.35).joint(lHip);
      COMFB2 -0.08511 -0.1586 j lAnkle
      VPD rThigh(-0.3458, -121.2, -11.33).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2541);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4017 + more * 0.3255, 207.4, 17.1).time(0.04581);
      LIPOSE rAnkle(0.523 + more * 0.6512, 63.39, 7.728).time(0.4251);
      LIPOSE lAnkle(-0.3903, 878.1, 11.5).time(0.2236);
      LIPOSE lKnee(0.7368 + more * 1.76, 935.1, 22.58).time(0.2658);
      VPD uTorso(-0.1322, 540.8, 89.16).joint(lHip);
      COMFB2 0.335 -0.28 j lAnkle
      VPD rThigh(-0.4727, -196.6, -10.73).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
