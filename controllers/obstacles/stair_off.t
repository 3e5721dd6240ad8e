# The first step down stairs with the right foot, from the left foot's contact before the first edge to the right one's below it.
BEGINSCRIPT stair_off(void)
  PHASE 0
    ACTIONS
      POSE neck2head(-0.206), uTorso2neck(-0.05969);
      POSE waist(-0.04792, 1129.0, 90.82), lTorso2uTorso(-0.2645, 386.8, 72.01);
      POSE lWrist(0.1186, 5.6, 2.78), rWrist(0.009019, 4.823, 2.819);
      LIPOSE rAnkle(0.06459, 422.2, 12.92).time(0.1625);
      LIPOSE rKnee(1.051, 257.5, 16.0).time(0.08259);
      LIPOSE lKnee(0.7624, 460.7, 18.83).time(0.1086);
      POSE lAnkle(-0.0666, 107.2, 10.92);
      LIPOSE rShoulder(0.1484, 31.06, 4.768).time(0.2172), lShoulder(-0.4152, 34.36, 3.607).time(0.2234);
      LIPOSE rElbow(-0.2264, 33.73, 4.037).time(0.5699), lElbow(-0.6637, 38.77, 3.618).time(0.6183);
      VPD uTorso(-0.05517, 291.4, 62.7).joint(lHip);
      VPD rThigh(0.1143, -207.0, -17.31).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1185);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.183, 237.2, 12.61).time(0.02394);
      LIPOSE rAnkle(-0.2417, 72.7, 8.86).time(0.05044);
      LIPOSE lKnee(0.06919, 522.7, 47.94).time(0.07925);
      LIPOSE lAnkle(-0.2111, 400.3, 9.534).time(0.08814);
      VPD uTorso(-0.1886, 364.7, 56.99).joint(lHip);
      COMFB2 -0.04641 -0.3464 j lAnkle
      VPD rThigh(-0.3591, -111.7, -13.07).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1794);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.3075, 200.5, 13.83).time(0.07446);
      LIPOSE rAnkle(0.2779, 57.62, 8.017).time(0.248);
      LIPOSE lAnkle(-0.1032, 689.5, 14.2).time(0.0872);
      LIPOSE lKnee(0.5644, 790.9, 22.9).time(0.1393);
      VPD uTorso(-0.07842, 628.6, 81.99).joint(lHip);
      COMFB2 0.2876 -0.1561 j lAnkle
      VPD rThigh(-0.1838 - 0.8383 * (edge_distance(lFoot) - 0.3442), -171.2, -11.38).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
