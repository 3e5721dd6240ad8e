# Half a cycle of the skip: a step and a hop on the left foot, while the right leg swings; mirrored, it is the other half.
# The right leg swings high, the left ankle pushes off and lands again, and then the right foot comes down.
SET TORQUELIMIT bAnkle = 230
BEGINSCRIPT skip_step(slope)
  PHASE 0  # right leg swings
    ACTIONS
      POSE neck2head(-0.04), uTorso2neck(0.08 + slope * (-0.1984 + 4.62 * slope));
      POSE waist(-0.08713 + slope * (-0.796 + 3.877 * slope), 667.5, 41.41),
          lTorso2uTorso(0.002189 + slope * (-0.3841 - 2.61 * slope), 696.8, 49.61);
      POSE bWrist(0.1, 3.466, 2.985);
      POSE rKnee(1.921 + slope * (-0.1535 + 4.93 * slope)), lKnee(0.3468 + slope * (-0.2677 - 10.97 * slope));
      POSE bAnkle(-0.1896 + slope * (-1.35 - 5.155 * slope));
      POSE rShoulder(0.42 + slope * (-0.472 - 20.7 * slope), 91.5, 20), rElbow(-1 + 39.6 * slope * slope, 83.78, 20);
      POSE lShoulder(-0.85 + slope * (-0.6771 + 2.27 * slope), 91.5, 20), lElbow(-1.05 + 46 * slope * slope, 83.78, 20);
      VPD uTorso(-0.09841 + slope * (0.2611 + 5.81 * slope), 233.2, 38.3).joint(lHip);
      COMFB2 0.008046 -0.4113 j rAnkle
      VPD rThigh(-1.222 + slope * (-0.394 + 3.67 * slope), -107.4, -18.85).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1889);
  ENDPHASE
  PHASE 1  # left ankle pushes off
    ACTIONS
      POSE rKnee(1.908 + slope * (0.343 + 6.66 * slope)), lKnee(-0.05 + slope * (0.1369 + 1.03 * slope));
      POSE lAnkle(0.95 + slope * (-0.129 - 3.57 * slope));
      VPD uTorso(0.2346 + slope * (-1.12 + 7.87 * slope), 303.9, 38.59).joint(lHip);
      COMFB2 0.1295 -0.4713 j rAnkle
      VPD rThigh(-1.606 + slope * (-0.444 - 0.3253 * slope), -378.7, -35.77).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.09011);
    TRANSITION to(2).after(nocontact lFoot and time 0.06);
  ENDPHASE
  PHASE 2  # in the air, and down again on the left foot
    ACTIONS
      POSE rKnee(2.024 + slope * (0.266 - 4.823 * slope)), lKnee(-0.05 + slope * (0.329 + 5.79 * slope));
      POSE lAnkle(0.1916 + slope * (-0.4959 - 4.447 * slope));
      VPD uTorso(-0.05843 + slope * (0.0314 - 4.744 * slope), 318, 27.26).joint(lHip);
      COMFB2 0.009387 0.02088 j rAnkle
      VPD rThigh(-1.877 + slope * (-0.293 - 5.114 * slope), -207.7, -37.01).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.12 and contact lFoot);
    TRANSITION to(3).after(time 0.4);
  ENDPHASE
  PHASE 3  # the left leg flexes, the right one keeps its angles
    ACTIONS
      POSE rKnee(1.545 + slope * (-0.3757 - 8.777 * slope)), lKnee(0.5961 + slope * (-0.52 + 6.73 * slope), 140.2, 21.73);
      POSE lAnkle(0.1181 + slope * (-0.5477 - 4.938 * slope), 159.8, 15.87);
      VPD uTorso(0.04898 + slope * (0.504 - 1.426 * slope), 307.9, 35.22).joint(lHip);
      COMFB2 -0.1519 -0.1565 j rAnkle
      VPD rThigh(-0.8411 + slope * (0.4572 - 4.17 * slope), -382.7, -42.71).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1244);
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
  PHASE 4  # right foot comes down
    ACTIONS
      POSE bKnee(0.1825 + slope * (0.201 - 8.634 * slope));
      POSE lAnkle(0.0117 + slope * (-0.272 + 1.4 * slope));
      VPD uTorso(-0.02506 + slope * (-0.03807 - 6.17 * slope), 240.6, 26.71).joint(lHip);
      COMFB2 -0.1815 -0.322 j rAnkle
      VPD rThigh(0.4477 + slope * (-0.2421 - 0.843 * slope), -159.5, -34.74).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
