# From hands and knees to the squat: tucks the toes, lifts the hips over hands and toes, jumps the feet
# forward under the body and catches the balance in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT get_up(void)
  PHASE 0  # tuck the toes
    ACTIONS
      POSE neck2head(-0.2994, 359.2, 43.49), uTorso2neck(-0.323, 349.7, 55.33);
      POSE waist(0.2432, 815.1, 46.7), lTorso2uTorso(0.1486, 669.3, 44.98);
      LIPOSE rAnkle(-1.025, 252.3, 36.82).time(0.3454), lAnkle(-1.025, 252.3, 36.82).time(0.3454);
      LIPOSE rKnee(1.854, 904.7, 86.96).time(0.3389), lKnee(1.854, 904.7, 86.96).time(0.3389);
      LIPOSE rHip(-1.989, 1249, 77.42).time(0.296), lHip(-1.989, 1249, 77.42).time(0.296);
      LIPOSE rShoulder(-1.115, 928.6, 59.9).time(0.2437), lShoulder(-1.115, 928.6, 59.9).time(0.2437);
      LIPOSE rElbow(-0.2319, 1100, 85.89).time(0.3428), lElbow(-0.2319, 1100, 85.89).time(0.3428);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3852);
  ENDPHASE
  PHASE 1  # lift the hips
    ACTIONS
      LIPOSE rKnee(1.192, 1023, 81.63).time(0.3201), lKnee(1.192, 1023, 81.63).time(0.3201);
      LIPOSE rHip(-1.898, 855.8, 136.6).time(0.289), lHip(-1.898, 855.8, 136.6).time(0.289);
      POSE rAnkle(-0.5664, 519.8, 94.98), lAnkle(-0.5664, 519.8, 94.98);
      POSE rShoulder(-1.771, 780, 60.77), lShoulder(-1.771, 780, 60.77);
      POSE rElbow(0.02902, 1438, 80.26), lElbow(0.02902, 1438, 80.26);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2349);
  ENDPHASE
  PHASE 2  # jump the feet forward
    ACTIONS
      POSE rHip(-2.7, 1299, 90.05), lHip(-2.7, 1299, 90.05);
      POSE rKnee(2.488, 629.3, 62.96), lKnee(2.488, 629.3, 62.96);
      POSE rAnkle(-0.4875, 322.1, 32.1), lAnkle(-0.4875, 322.1, 32.1);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2175);
  ENDPHASE
  PHASE 3  # push off with the hands
    ACTIONS
      POSE rShoulder(-1.85, 787.6, 91.17), lShoulder(-1.85, 787.6, 91.17);
      POSE rElbow(0.05, 1291, 99.22), lElbow(0.05, 1291, 99.22);
      POSE rHip(-1.891, 867.3, 83.73), lHip(-1.891, 867.3, 83.73);
      POSE rKnee(2.011, 508.8, 99.1), lKnee(2.011, 508.8, 99.1);
      POSE rAnkle(-0.6353, 532.4, 61.04), lAnkle(-0.6353, 532.4, 61.04);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2356);
  ENDPHASE
  PHASE 4
    > squat.t(1.438);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
