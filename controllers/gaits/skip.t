# One cycle of a skip: on each leg a step and a hop on the same foot, right leg swinging first.
# The leg swings high, the other ankle pushes off, lands again, and only then the swing leg comes down.
SET TORQUELIMIT = 250
BEGINSCRIPT skip(void)
  PHASE 0  # right leg swings
    ACTIONS
      POSE neck2head(-0.04), uTorso2neck(0.08);
      POSE waist(0.0636, 575.4, 58.46), lTorso2uTorso(0.03543, 795.4, 56.39);
      POSE lWrist(0.1251, 3.466, 2.985), rWrist(0.1251, 3.466, 2.985);
      POSE rKnee(1.926), lKnee(0.337);
      POSE rAnkle(0.007085), lAnkle(0.007085);
      POSE rShoulder(0.2641, 108.8, 32.38), rElbow(0.05, 96.3, 38.7);
      POSE lShoulder(-0.3628, 108.8, 32.38), lElbow(-0.1459, 96.3, 38.7);
      VPD uTorso(0.08234, 308.9, 43.49).joint(lHip);
      COMFB2 -0.08208 -0.4042 j rAnkle
      VPD rThigh(-1.105, -295, -24.73).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2363);
  ENDPHASE
  PHASE 1  # left ankle pushes off
    ACTIONS
      POSE rKnee(2.292), lKnee(-0.05);
      POSE lAnkle(0.95);
      VPD uTorso(0.1013, 308.6, 42.89).joint(lHip);
      COMFB2 0.1608 -0.4335 j rAnkle
      VPD rThigh(-2.261, -284.4, -26.79).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.101);
  ENDPHASE
  PHASE 2  # in the air, and down again on the left foot
    ACTIONS
      POSE rKnee(2.257), lKnee(0.02137);
      POSE lAnkle(-0.4034);
      VPD uTorso(-0.1585, 298, 19.59).joint(lHip);
      COMFB2 0.006689 -0.02649 j rAnkle
      VPD rThigh(-2.275, -309.3, -26.4).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2054);
  ENDPHASE
  PHASE 3  # right foot comes down
    ACTIONS
      POSE rKnee(0.1441), lKnee(0.1289);
      POSE lAnkle(-0.3299);
      VPD uTorso(-0.01685, 204, 30.49).joint(lHip);
      COMFB2 -0.1913 -0.4488 j rAnkle
      VPD rThigh(0.4572, -268.2, -39.68).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot);
  ENDPHASE
  PHASE 4  # left leg swings
    ACTIONS
      POSE lKnee(1.697), rKnee(0.1184);
      POSE lAnkle(-0.1672), rAnkle(-0.1672);
      POSE lShoulder(0.1491, 84.5, 31.52), lElbow(-0.07166, 82.15, 43.88);
      POSE rShoulder(-0.4562, 84.5, 31.52), rElbow(-0.3526, 82.15, 43.88);
      VPD uTorso(0.038, 285.1, 37.73).joint(rHip);
      COMFB2 0.008528 -0.366 j lAnkle
      VPD lThigh(-1.131, -373, -36.97).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3373);
  ENDPHASE
  PHASE 5  # right ankle pushes off
    ACTIONS
      POSE lKnee(2.335), rKnee(-0.05);
      POSE rAnkle(0.9052);
      VPD uTorso(0.07728, 422.4, 31.98).joint(rHip);
      COMFB2 -0.1136 -0.4468 j lAnkle
      VPD lThigh(-2.357, -319.9, -30.45).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(time 0.1154);
  ENDPHASE
  PHASE 6  # in the air, and down again on the right foot
    ACTIONS
      POSE lKnee(2.182), rKnee(-0.04774);
      POSE rAnkle(-0.3537);
      VPD uTorso(0.1249, 303.8, 35.17).joint(rHip);
      COMFB2 0.01976 -0.04161 j lAnkle
      VPD lThigh(-2.281, -314.7, -28.9).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time 0.3351);
  ENDPHASE
  PHASE 7  # left foot comes down
    ACTIONS
      POSE lKnee(0.2289), rKnee(0.09247);
      POSE rAnkle(-0.4283);
      VPD uTorso(0.0003475, 266, 32.25).joint(rHip);
      COMFB2 -0.2909 -0.3686 j lAnkle
      VPD lThigh(0.3774, -288.5, -29.96).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
  ENDPHASE
ENDSCRIPT
