# A backflip from the squat: jumps up and back, tucks, turns once backward and lands in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip(void)
  PHASE 0  # jump
    ACTIONS
      POSE rShoulder(-2.314, 148.8, 44.99), lShoulder(-2.314, 148.8, 44.99);
      VF (-1425.0, 3569.0, -104.6).on(uTorso).by(rAnkle);
      VF (-1425.0, 3569.0, -104.6).on(uTorso).by(lAnkle);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1139);
  ENDPHASE
  PHASE 1  # tuck
    ACTIONS
      POSE rAnkle(-1.275), lAnkle(-1.275);
      POSE rKnee(2.846), lKnee(2.846);
      POSE rHip(-2.061), lHip(-2.061);
      POSE rShoulder(-1.889), lShoulder(-1.889);
      POSE rElbow(-1.852), lElbow(-1.852);
      POSE waist(-0.2985), lTorso2uTorso(-0.281);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # land
    ACTIONS
      POSE rAnkle(-0.9469), lAnkle(-0.9469);
      POSE rKnee(2.848, 727.9, 205.4), lKnee(2.848, 727.9, 205.4);
      POSEFB rAnkle(1.475, 0.7123).on(part lFoot);
      POSEFB lAnkle(1.475, 0.7123).on(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1294);
  ENDPHASE
  PHASE 3  # find the balance in the squat
    > squat.t(2.256);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
