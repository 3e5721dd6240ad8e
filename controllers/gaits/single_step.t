# One step forward from the stand with the trunk upright: the right foot forward, the left beside it, then balance on both.
BEGINSCRIPT single_step(void)
  PHASE 0  # the body leans over the toes
    ACTIONS
      POSE neck2head(0), uTorso2neck(0 + slope(com_x) * (0.00193 - 5.13 * slope(com_x)));
      POSE waist(0.02124 + slope(com_x) * (0.154 - 2.08 * slope(com_x)), 908, 109.1),
          lTorso2uTorso(-0.1074 + slope(com_x) * (-0.431 - 0.33 * slope(com_x)), 435, 106.2);
      POSE lWrist(-0.2574, 1, 2.941), rWrist(-0.2574, 1, 2.941);
      LIPOSE bAnkle(-0.05226 + slope(com_x) * (-0.578 + 6.33 * slope(com_x)), 176, 17.84).time(0.2574);
      LIPOSE rKnee(0.1349 + slope(com_x) * (-0.113 - 3.75 * slope(com_x)), 222.8, 25.85).time(0.347),
          lKnee(0.1018 + slope(com_x) * (0.0994 + 3.11 * slope(com_x)), 381.4, 40.75).time(0.347);
      LIPOSE rHip(-0.2347 + slope(com_x) * (-0.376 + 1.24 * slope(com_x)), 369.4, 24.8).time(0.2219),
          lHip(0.06764 + slope(com_x) * (-0.123 - 3.87 * slope(com_x)), 369.4, 24.8).time(0.2219);
      LIPOSE rShoulder(-0.05284 + slope(com_x) * (-0.241 + 4.06 * slope(com_x)), 24.1, 5.045).time(0.2594),
          lShoulder(-0.1627 + slope(com_x) * (0.126 + 1.8 * slope(com_x)), 24.1, 5.045).time(0.2594);
      LIPOSE rElbow(-0.1574, 39.22, 3.688).time(0.5819), lElbow(-0.339, 39.22, 3.688).time(0.5819);
      VF (34.48, -19.15, 0).on(pelvis).by(lAnkle);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2878);
  ENDPHASE
  PHASE 1  # one leg swings
    ACTIONS
      LIPOSE rKnee(1.046 + slope(com_x) * (0.312 + 0.439 * slope(com_x)), 103.3, 18.32).time(0.02678);
      LIPOSE rAnkle(-0.3197 + slope(com_x) * (-0.184 + 2.11 * slope(com_x)), 61.03, 6.625).time(0.0446);
      LIPOSE lKnee(0.1917 + slope(com_x) * (-0.227 - 6.07 * slope(com_x)), 423.8, 30.37).time(0.08982);
      LIPOSE lAnkle(-0.109 + slope(com_x) * (0.229 + 2.38 * slope(com_x)), 536.3, 17.77).time(0.1272);
      VPD uTorso(0.02119 + slope(com_x) * (0.151 + 5.14 * slope(com_x)), 328.7, 55.22).joint(lHip);
      COMFB2 0.2504 -0.3125 j lAnkle
      VPD rThigh(-0.4724 + slope(com_x) * (-0.575 - 3.43 * slope(com_x)), -123.4, -11.53).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2451);
  ENDPHASE
  PHASE 2  # its foot comes down ahead
    ACTIONS
      LIPOSE rKnee(-0.01665 + slope(com_x) * (0.317 + 0.051 * slope(com_x)), 264.2, 18.2).time(0.1203);
      LIPOSE rAnkle(0.06567 + slope(com_x) * (-0.605 + 3.52 * slope(com_x)), 77.43, 7.722).time(0.2342);
      LIPOSE lAnkle(-0.2238 + slope(com_x) * (-0.215 + 3.64 * slope(com_x)), 932.7, 11.95).time(0.05148);
      LIPOSE lKnee(0.2222 + slope(com_x) * (0.0994 - 2.26 * slope(com_x)), 742.7, 20.82).time(0.08787);
      VPD uTorso(-0.07287 + slope(com_x) * (-0.0598 + 0.949 * slope(com_x)), 303.6, 77.56).joint(lHip);
      COMFB2 0.1548 -0.1658 j lAnkle
      VPD rThigh(-0.2911 + slope(com_x) * (0.0856 + 1.76 * slope(com_x)), -149.2, -7.11).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
  ENDPHASE
  PHASE 3  # over it, the other foot follows
    ACTIONS
      LIPOSE rKnee(0.1615 + slope(com_x) * (-0.334 - 1.14 * slope(com_x)), 491.7, 25.24).time(0.1591),
          rAnkle(-0.3192 + slope(com_x) * (-0.112 - 2.52 * slope(com_x)), 170.5, 13.8).time(0.1462);
      LIPOSE lKnee(0.9897 + slope(com_x) * (0.232 - 2.5 * slope(com_x)), 207.3, 28.93).time(0.09055),
          lAnkle(-0.1627 + slope(com_x) * (0.239 - 0.53 * slope(com_x)), 50.83, 13.81).time(0.1462);
      VFFB uTorso(1101, 382.6).by(rAnkle).over(part rFoot);
      VPD uTorso(0.009706 + slope(com_x) * (-0.044 + 4.49 * slope(com_x)), 726.4, 73.7).joint(rHip);
      VPD lThigh(-0.3283 + slope(com_x) * (-0.539 - 3.46 * slope(com_x)), -221.1, -18.08).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2532);
  ENDPHASE
  PHASE 4  # the other foot comes down beside it
    ACTIONS
      LIPOSE rKnee(0.2108 + slope(com_x) * (0.233 + 3.49 * slope(com_x)), 383.9, 47.05).time(0.2338),
          rHip(-0.1572 + slope(com_x) * (-0.0199 - 1.04 * slope(com_x)), 683.1, 62.89).time(0.2542),
          rAnkle(-0.2768, 325.1, 23.36).time(0.1697);
      LIPOSE lKnee(0.2716 + slope(com_x) * (0.408 + 0.547 * slope(com_x)), 295.6, 21.32).time(0.2338),
          lHip(-0.1572 + slope(com_x) * (0.0102 - 3.67 * slope(com_x)), 317.9, 19.95).time(0.2542),
          lAnkle(-0.2768, 107.6, 13.37).time(0.1697);
      VFFB uTorso(825.9, 205.8).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(contact lFoot and time .08);
    TRANSITION to(5).after(time .3);
  ENDPHASE
  PHASE 5  # balance on both
    ACTIONS
      LIPOSE bHip(0.009768 + slope(com_x) * (-0.223 + 0.383 * slope(com_x)), 419.7, 50.95).time(0.4526),
          bKnee(0.1536 + slope(com_x) * (0.525 + 1.86 * slope(com_x)), 397.6, 43.27).time(0.3254),
          bAnkle(-0.1496, 371.6, 17.79).time(0.3656);
      LIPOSE bShoulder(0.08368 + slope(com_x) * (0.106 + 1.89 * slope(com_x)), 31.83, 6.179).time(0.4351),
          bElbow(-0.1341, 59.95, 6.083).time(0.528);
      LIPOSE waist(-0.02056 + slope(com_x) * (-0.0799 + 2.21 * slope(com_x)), 882.1, 50.69).time(0.3667),
          lTorso2uTorso(0.02694 + slope(com_x) * (-0.272 + 0.45 * slope(com_x)), 538.6, 81.42).time(0.2535);
      VFFB uTorso(2108, 282.5).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time .5 and stable .12);
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
ENDSCRIPT
