# A backflip from the squat: jumps up and back, tucks, turns once backward and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip(void)
  PHASE 0  # jump
    ACTIONS
      POSE rShoulder(-2.366, 160.7, 46.18), lShoulder(-2.366, 160.7, 46.18);
      VF (-1359, 3476, -111.7).on(uTorso).by(rAnkle);
      VF (-1359, 3476, -111.7).on(uTorso).by(lAnkle);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1106);
  ENDPHASE
  PHASE 1  # tuck
    ACTIONS
      POSE rAnkle(-1.272), lAnkle(-1.272);
      POSE rKnee(2.85), lKnee(2.85);
      POSE rHip(-2.087), lHip(-2.087);
      POSE rShoulder(-1.927), lShoulder(-1.927);
      POSE rElbow(-1.811), lElbow(-1.811);
      POSE waist(-0.3), lTorso2uTorso(-0.3);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # land
    ACTIONS
      POSE rAnkle(-0.9747), lAnkle(-0.9747);
      POSE rKnee(2.811, 704.8, 193.6), lKnee(2.811, 704.8, 193.6);
      POSEFB rAnkle(1.563, 0.6886).on(part lFoot);
      POSEFB lAnkle(1.563, 0.6886).on(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1255);
  ENDPHASE
  PHASE 3  # find the balance in the squat
    > squat.t(2.392);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
