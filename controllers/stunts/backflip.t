# A backflip from the squat: jumps up and back, tucks, turns once backward and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip(void)
  PHASE 0 # jump
    ACTIONS
      POSE rShoulder(-1.99, 370, 43.6), lShoulder(-1.99, 370, 43.6);
      VF (-1350, 2980, 0).on(uTorso).by(rAnkle);
      VF (-1350, 2980, 0).on(uTorso).by(lAnkle);
    ENDACTIONS
    TRANSITION to(1).after(time .133);
  ENDPHASE
  PHASE 1 # tuck
    ACTIONS
      POSE rAnkle(-1.09), lAnkle(-1.09);
      POSE rKnee(2.58), lKnee(2.58);
      POSE rHip(-2.09), lHip(-2.09);
      POSE rShoulder(-1.94), lShoulder(-1.94);
      POSE rElbow(-1.79), lElbow(-1.79);
      POSE waist(.518), lTorso2uTorso(.291);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2 # land
    ACTIONS
      POSE rAnkle(-.714), lAnkle(-.714);
      POSE rKnee(2.32, 1120, 148), lKnee(2.32, 1120, 148);
      POSEFB rAnkle(1.66, .754).on(part lFoot);
      POSEFB lAnkle(1.66, .754).on(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(time .174);
  ENDPHASE
  PHASE 3 # find the balance in the squat
    > squat.t(2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
