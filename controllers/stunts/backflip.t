# A backflip from the squat: jumps up and back, tucks, turns once backward and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip(void)
  PHASE 0  # jump
    ACTIONS
      POSE rShoulder(-1.99, 292.6, 42.03), lShoulder(-1.99, 292.6, 42.03);
      VF (-1351, 2463, 29.67).on(uTorso).by(rAnkle);
      VF (-1351, 2463, 29.67).on(uTorso).by(lAnkle);
    ENDACTIONS
    TRANSITION to(1).after(time 0.09224);
  ENDPHASE
  PHASE 1  # tuck
    ACTIONS
      POSE rAnkle(-1.174), lAnkle(-1.174);
      POSE rKnee(2.643), lKnee(2.643);
      POSE rHip(-2.129), lHip(-2.129);
      POSE rShoulder(-1.835), lShoulder(-1.835);
      POSE rElbow(-1.875), lElbow(-1.875);
      POSE waist(0.2713), lTorso2uTorso(0.1675);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # land
    ACTIONS
      POSE rAnkle(-0.8164), lAnkle(-0.8164);
      POSE rKnee(2.354, 772.5, 185.5), lKnee(2.354, 772.5, 185.5);
      POSEFB rAnkle(1.329, 0.8734).on(part lFoot);
      POSEFB lAnkle(1.329, 0.8734).on(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1085);
  ENDPHASE
  PHASE 3  # find the balance in the squat
    > squat.t(1.903);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
