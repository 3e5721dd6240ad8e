# From hands and knees to the squat: tucks the toes, lifts the hips over hands and toes, jumps the feet
# forward under the body and catches the balance in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT get_up(void)
  PHASE 0  # tuck the toes
    ACTIONS
      POSE neck2head(-0.3418, 344.8, 43.45), uTorso2neck(-0.3138, 332.3, 55.37);
      POSE waist(0.2296, 757.2, 47.96), lTorso2uTorso(0.09905, 665.4, 47.35);
      LIPOSE rAnkle(-1.014, 245.9, 34.71).time(0.3384), lAnkle(-1.014, 245.9, 34.71).time(0.3384);
      LIPOSE rKnee(1.851, 885.4, 84.49).time(0.353), lKnee(1.851, 885.4, 84.49).time(0.353);
      LIPOSE rHip(-1.985, 1232, 79.77).time(0.3037), lHip(-1.985, 1232, 79.77).time(0.3037);
      LIPOSE rShoulder(-1.142, 952, 65.02).time(0.2497), lShoulder(-1.142, 952, 65.02).time(0.2497);
      LIPOSE rElbow(-0.2104, 1057, 87.09).time(0.351), lElbow(-0.2104, 1057, 87.09).time(0.351);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4034);
  ENDPHASE
  PHASE 1  # lift the hips
    ACTIONS
      LIPOSE rKnee(1.168, 1051, 86.27).time(0.3246), lKnee(1.168, 1051, 86.27).time(0.3246);
      LIPOSE rHip(-1.902, 867.9, 132.6).time(0.2767), lHip(-1.902, 867.9, 132.6).time(0.2767);
      POSE rAnkle(-0.5689, 538.1, 91.02), lAnkle(-0.5689, 538.1, 91.02);
      POSE rShoulder(-1.789, 789.7, 62.95), lShoulder(-1.789, 789.7, 62.95);
      POSE rElbow(0.05, 1366, 78.81), lElbow(0.05, 1366, 78.81);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2477);
  ENDPHASE
  PHASE 2  # jump the feet forward
    ACTIONS
      POSE rHip(-2.7, 1225, 94.56), lHip(-2.7, 1225, 94.56);
      POSE rKnee(2.51, 655.9, 63.66), lKnee(2.51, 655.9, 63.66);
      POSE rAnkle(-0.5215, 315.2, 29.41), lAnkle(-0.5215, 315.2, 29.41);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2201);
  ENDPHASE
  PHASE 3  # push off with the hands
    ACTIONS
      POSE rShoulder(-1.863, 786.5, 96.66), lShoulder(-1.863, 786.5, 96.66);
      POSE rElbow(0.04436, 1308, 96.87), lElbow(0.04436, 1308, 96.87);
      POSE rHip(-1.855, 803.1, 89.89), lHip(-1.855, 803.1, 89.89);
      POSE rKnee(2.028, 507.8, 100.4), lKnee(2.028, 507.8, 100.4);
      POSE rAnkle(-0.6436, 502.7, 62.17), lAnkle(-0.6436, 502.7, 62.17);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2428);
  ENDPHASE
  PHASE 4
    > squat.t(1.403);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
