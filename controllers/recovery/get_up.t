# From hands and knees to the squat: tucks the toes, lifts the hips over hands and toes, jumps the feet
# forward under the body and catches the balance in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT get_up(void)
  PHASE 0  # tuck the toes
    ACTIONS
      POSE neck2head(-0.368, 334.3, 42.23), uTorso2neck(-0.3482, 296.2, 54.87);
      POSE waist(0.2352, 775.7, 49.56), lTorso2uTorso(0.1816, 632.6, 50.76);
      LIPOSE rAnkle(-1.043, 238.8, 36.02).time(0.3562), lAnkle(-1.043, 238.8, 36.02).time(0.3562);
      LIPOSE rKnee(1.864, 912, 82.59).time(0.3619), lKnee(1.864, 912, 82.59).time(0.3619);
      LIPOSE rHip(-1.973, 1115, 81.23).time(0.313), lHip(-1.973, 1115, 81.23).time(0.313);
      LIPOSE rShoulder(-1.139, 940.1, 71.4).time(0.2614), lShoulder(-1.139, 940.1, 71.4).time(0.2614);
      LIPOSE rElbow(-0.2601, 1126, 86.85).time(0.3839), lElbow(-0.2601, 1126, 86.85).time(0.3839);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4468);
  ENDPHASE
  PHASE 1  # lift the hips
    ACTIONS
      LIPOSE rKnee(1.209, 1152, 87.3).time(0.3497), lKnee(1.209, 1152, 87.3).time(0.3497);
      LIPOSE rHip(-1.915, 889.6, 125.9).time(0.2737), lHip(-1.915, 889.6, 125.9).time(0.2737);
      POSE rAnkle(-0.5295, 502.4, 83.59), lAnkle(-0.5295, 502.4, 83.59);
      POSE rShoulder(-1.806, 750.8, 65.01), lShoulder(-1.806, 750.8, 65.01);
      POSE rElbow(.05, 1234, 76.95), lElbow(.05, 1234, 76.95);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2494);
  ENDPHASE
  PHASE 2  # jump the feet forward
    ACTIONS
      POSE rHip(-2.7, 1292, 87.87), lHip(-2.7, 1292, 87.87);
      POSE rKnee(2.483, 636, 57.88), lKnee(2.483, 636, 57.88);
      POSE rAnkle(-0.4923, 318.9, 26.98), lAnkle(-0.4923, 318.9, 26.98);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2459);
  ENDPHASE
  PHASE 3  # push off with the hands
    ACTIONS
      POSE rShoulder(-1.861, 735.1, 92.4), lShoulder(-1.861, 735.1, 92.4);
      POSE rElbow(.05, 1307, 90.83), lElbow(.05, 1307, 90.83);
      POSE rHip(-1.894, 699.4, 84.11), lHip(-1.894, 699.4, 84.11);
      POSE rKnee(2.069, 540.7, 102.4), lKnee(2.069, 540.7, 102.4);
      POSE rAnkle(-0.6238, 495.9, 64.06), lAnkle(-0.6238, 495.9, 64.06);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2526);
  ENDPHASE
  PHASE 4
    > squat.t(1.306);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
