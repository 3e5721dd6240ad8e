# A step down stairs with the right foot, from above the left foot's tread to the one below it.
BEGINSCRIPT stair_step_down(void)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(0.1543, 938.3, 67.79), lTorso2uTorso(-0.3949, 447.8, 71.06);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.2636, 465.5, 13.99).time(0.1664);
      LIPOSE rKnee(0.755, 269.0, 17.51).time(0.08255);
      LIPOSE lKnee(0.6799, 462.6, 16.92).time(0.1081);
      POSE lAnkle(0.0495, 96.36, 9.218);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.1492, 359.4, 71.1).joint(lHip);
      VPD rThigh(0.1695, -178.6, -19.18).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1181);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.361, 187.1, 14.09).time(0.02581);
      LIPOSE rAnkle(-0.3251, 79.24, 7.463).time(0.04432);
      LIPOSE lKnee(0.1204, 476.3, 45.18).time(0.09752);
      LIPOSE lAnkle(-0.005416, 434.6, 9.008).time(0.1142);
      VPD uTorso(-0.2073, 450.5, 52.37).joint(lHip);
      COMFB2 -0.02737 -0.3709 j lAnkle
      VPD rThigh(-0.2912, -125.2, -11.52).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1229);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.4357, 185.6, 16.3).time(0.07665);
      LIPOSE rAnkle(0.2814, 54.03, 7.181).time(0.2852);
      LIPOSE lAnkle(-0.2601, 859.0, 12.56).time(0.08276);
      LIPOSE lKnee(0.6634, 845.0, 19.46).time(0.1188);
      VPD uTorso(-0.166, 581.7, 82.2).joint(lHip);
      COMFB2 0.2456 -0.1856 j lAnkle
      VPD rThigh(-0.1748 - 0.723 * (edge_distance(lFoot) - 0.1879), -196.6, -8.753).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
