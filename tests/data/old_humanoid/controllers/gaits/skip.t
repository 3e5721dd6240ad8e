# One cycle of a skip: on each leg a step and a hop on the same foot, right leg swinging first.
# The leg swings high, the other ankle pushes off, lands again, and only then the swing leg comes down.
SET TORQUELIMIT = 250
BEGINSCRIPT skip(void)
  PHASE 0  # right leg swings
    ACTIONS
      POSE neck2head(-0.04), uTorso2neck(0.08);
      POSE waist(0.02, 586, 56), lTorso2uTorso(0.09, 736, 56);
      POSE lWrist(0.1, 4.1, 2.6), rWrist(0.1, 4.1, 2.6);
      POSE rKnee(1.74), lKnee(0.28);
      POSE rAnkle(-0.12), lAnkle(-0.12);
      POSE rShoulder(0.23, 84, 33), rElbow(-0.01, 87, 36);
      POSE lShoulder(-0.4, 84, 33), lElbow(-0.32, 87, 36);
      VPD uTorso(0.01, 266, 35).joint(lHip);
      COMFB2 0 -0.405 j rAnkle
      VPD rThigh(-1.1, -383, -28.5).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.248);
  ENDPHASE
  PHASE 1  # left ankle pushes off
    ACTIONS
      POSE rKnee(2.3), lKnee(0.05);
      POSE lAnkle(1.1);
      VPD uTorso(0.1, 312, 30).joint(lHip);
      COMFB2 0 -0.453 j rAnkle
      VPD rThigh(-2.4, -303, -28).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.118);
  ENDPHASE
  PHASE 2  # in the air, and down again on the left foot
    ACTIONS
      POSE rKnee(2.12), lKnee(0.05);
      POSE lAnkle(-0.31);
      VPD uTorso(0, 362, 32).joint(lHip);
      COMFB2 0 -0.03 j rAnkle
      VPD rThigh(-2.3, -288, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.307);
  ENDPHASE
  PHASE 3  # right foot comes down
    ACTIONS
      POSE rKnee(0.18), lKnee(0.02);
      POSE lAnkle(-0.35);
      VPD uTorso(0, 228, 27).joint(lHip);
      COMFB2 -0.22 -0.41 j rAnkle
      VPD rThigh(0.37, -278, -34).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot);
  ENDPHASE
  PHASE 4  # left leg swings
    ACTIONS
      POSE lKnee(1.74), rKnee(0.28);
      POSE lAnkle(-0.12), rAnkle(-0.12);
      POSE lShoulder(0.23, 84, 33), lElbow(-0.01, 87, 36);
      POSE rShoulder(-0.4, 84, 33), rElbow(-0.32, 87, 36);
      VPD uTorso(0.01, 266, 35).joint(rHip);
      COMFB2 0 -0.405 j lAnkle
      VPD lThigh(-1.1, -383, -28.5).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time 0.248);
  ENDPHASE
  PHASE 5  # right ankle pushes off
    ACTIONS
      POSE lKnee(2.3), rKnee(0.05);
      POSE rAnkle(1.1);
      VPD uTorso(0.1, 312, 30).joint(rHip);
      COMFB2 0 -0.453 j lAnkle
      VPD lThigh(-2.4, -303, -28).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(time 0.118);
  ENDPHASE
  PHASE 6  # in the air, and down again on the right foot
    ACTIONS
      POSE lKnee(2.12), rKnee(0.05);
      POSE rAnkle(-0.31);
      VPD uTorso(0, 362, 32).joint(rHip);
      COMFB2 0 -0.03 j lAnkle
      VPD lThigh(-2.3, -288, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time 0.307);
  ENDPHASE
  PHASE 7  # left foot comes down
    ACTIONS
      POSE lKnee(0.18), rKnee(0.02);
      POSE rAnkle(-0.35);
      VPD uTorso(0, 228, 27).joint(rHip);
      COMFB2 -0.22 -0.41 j lAnkle
      VPD lThigh(0.37, -278, -34).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
  ENDPHASE
ENDSCRIPT
