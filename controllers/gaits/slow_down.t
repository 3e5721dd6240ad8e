# From the run into the walk: four braking steps.
BEGINSCRIPT slow_down(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0 + slope(com_x) * (-0.299 - 4.76 * slope(com_x)));
      LIPOSE waist(0.2636 + slope(com_x) * (-0.0473 + 0.102 * slope(com_x)), 944.3, 62.89).time(0.2023),
          lTorso2uTorso(-0.1548 + slope(com_x) * (0.0642 - 6.22 * slope(com_x)), 1013, 98.05).time(0.2912);
      POSE bWrist(-0.1162, 5.42, 3.86);
      LIPOSE rKnee(1.083 + slope(com_x) * (0.203 + 1.99 * slope(com_x)), 219.5, 10.75).time(0.08049);
      LIPOSE rAnkle(-0.2472 + slope(com_x) * (-0.283 - 8.52 * slope(com_x)), 117.9, 5.175).time(0.1907);
      LIPOSE lKnee(0.5041 + slope(com_x) * (-0.0685 - 0.09 * slope(com_x)), 532.3, 42.2).time(0.1758);
      LIPOSE lAnkle(-0.1241 + slope(com_x) * (0.401 + 5.97 * slope(com_x)), 432.7, 8.615).time(0.08652);
      LIPOSE rShoulder(0.2106 + slope(com_x) * (0.367 + 8.37 * slope(com_x)), 49.23, 6.162).time(0.1749),
          lShoulder(-0.3719 + slope(com_x) * (-0.211 - 1.01 * slope(com_x)), 49.23, 6.162).time(0.1749);
      LIPOSE rElbow(-0.9086, 45.92, 4.782).time(0.2095), lElbow(-0.5572, 45.92, 4.782).time(0.2095);
      VPD uTorso(-0.04414 + slope(com_x) * (0.163 + 19.7 * slope(com_x)), 587.5, 78.68).joint(lHip);
      COMFB2 0.07437 -0.1673 j lAnkle
      VPD rThigh(-0.5601 + slope(com_x) * (-0.323 + 1.66 * slope(com_x)), -234.6, -25).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1469);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(0.1188 + slope(com_x) * (0.474 + 1.39 * slope(com_x)), 357.3, 11.69).time(0.1296);
      LIPOSE rAnkle(0.08346 + slope(com_x) * (0.446 + 4.47 * slope(com_x)), 192.2, 12.59).time(0.1574);
      LIPOSE lKnee(0.3586 + slope(com_x) * (-0.17 - 10 * slope(com_x)), 532.4, 45.25).time(0.1296);
      LIPOSE lAnkle(0.1705 + slope(com_x) * (0.214 + 8.42 * slope(com_x)), 149.5, 10.85).time(0.1574);
      VPD uTorso(0.06425 + slope(com_x) * (0.346 - 0.458 * slope(com_x)), 191.6, 43.75).joint(lHip);
      COMFB2 0.1771 -0.01223 j lAnkle
      VPD rThigh(-0.2399 + slope(com_x) * (-0.425 - 7.33 * slope(com_x)), -212.2, -21.84).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time 0.1785);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE lKnee(1.125 + slope(com_x) * (0.624 - 7.19 * slope(com_x)), 139.2, 2.063).time(0.07224);
      LIPOSE lAnkle(-0.3113 + slope(com_x) * (-0.628 + 0.109 * slope(com_x)), 45.75, 4.544).time(0.1734);
      LIPOSE rKnee(0.4681 + slope(com_x) * (0.299 - 0.0742 * slope(com_x)), 583.8, 38.47).time(0.2713);
      LIPOSE rAnkle(-0.05305 + slope(com_x) * (0.658 + 3.78 * slope(com_x)), 483, 9.515).time(0.1579);
      LIPOSE lShoulder(0.1707 + slope(com_x) * (-0.467 - 4.26 * slope(com_x)), 80.47, 11.29).time(0.3208),
          rShoulder(-0.488 + slope(com_x) * (-0.228 + 4.77 * slope(com_x)), 80.47, 11.29).time(0.3208);
      LIPOSE lElbow(-0.6929, 72.19, 5.574).time(0.3235), rElbow(-0.9455, 72.19, 5.574).time(0.3235);
      VPD uTorso(-0.007793 + slope(com_x) * (0.0573 - 9.42 * slope(com_x)), 293.7, 71.86).joint(rHip);
      COMFB2 -0.1063 -0.06407 j rAnkle
      VPD lThigh(-0.2733 + slope(com_x) * (-0.151 - 5.78 * slope(com_x)), -260.7, -25.07).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2664);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE lKnee(0.2 + slope(com_x) * (0.0909 + 1.23 * slope(com_x)), 280.4, 12.3).time(0.1522);
      LIPOSE lAnkle(0.07641 + slope(com_x) * (0.0257 - 4.95 * slope(com_x)), 237.5, 26).time(0.1642);
      LIPOSE rKnee(0.3428 + slope(com_x) * (-0.00173 - 8.83 * slope(com_x)), 374.6, 16.87).time(0.1522);
      LIPOSE rAnkle(-0.0783 + slope(com_x) * (-1.1 - 1.39 * slope(com_x)), 394.2, 20.95).time(0.1642);
      VPD uTorso(-0.4543 + slope(com_x) * (0.421 + 1.73 * slope(com_x)), 335.3, 88.36).joint(rHip);
      COMFB2 0.06942 -0.1414 j rAnkle
      VPD lThigh(-0.348 + slope(com_x) * (-0.0373 + 3.11 * slope(com_x)), -330.2, -13.37).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
    TRANSITION to(4).after(time 0.517);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE rKnee(1.192 + slope(com_x) * (0.806 - 4.36 * slope(com_x)), 155.5, 14.43).time(0.06087);
      LIPOSE rAnkle(-0.07632 + slope(com_x) * (0.533 + 2.38 * slope(com_x)), 126.7, 4.512).time(0.119);
      LIPOSE lKnee(0.2236 + slope(com_x) * (-0.552 + 4.63 * slope(com_x)), 652.1, 41.4).time(0.08127);
      LIPOSE lAnkle(-0.08878 + slope(com_x) * (-0.219 - 5.11 * slope(com_x)), 637.8, 15.08).time(0.08724);
      LIPOSE rShoulder(0.1845 + slope(com_x) * (-0.347 - 0.274 * slope(com_x)), 68.83, 6.413).time(0.2861),
          lShoulder(-0.07849 + slope(com_x) * (0.64 - 0.98 * slope(com_x)), 68.83, 6.413).time(0.2861);
      LIPOSE rElbow(-0.4928, 94.45, 5.946).time(0.1677), lElbow(-0.6878, 94.45, 5.946).time(0.1677);
      VPD uTorso(-0.2888 + slope(com_x) * (0.0145 - 9.71 * slope(com_x)), 558.9, 63.01).joint(lHip);
      COMFB2 0.3709 -0.1641 j lAnkle
      VPD rThigh(-0.3631 + slope(com_x) * (-0.542 + 0.546 * slope(com_x)), -93.74, -13.3).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2838);
  ENDPHASE
  PHASE 5
    ACTIONS
      LIPOSE rKnee(0.2688 + slope(com_x) * (-0.447 + 1.36 * slope(com_x)), 310.5, 21.45).time(0.07244);
      LIPOSE rAnkle(-0.2417 + slope(com_x) * (-0.132 + 13 * slope(com_x)), 295.4, 6.355).time(0.2117);
      LIPOSE lKnee(0.3838 + slope(com_x) * (0.667 + 1.79 * slope(com_x)), 513.1, 52.27).time(0.07244);
      LIPOSE lAnkle(0.1578 + slope(com_x) * (-0.589 + 1.94 * slope(com_x)), 265.3, 19).time(0.2117);
      VPD uTorso(0.3325 + slope(com_x) * (-0.186 - 1.75 * slope(com_x)), 522.4, 39.93).joint(lHip);
      COMFB2 0.3939 -0.05922 j lAnkle
      VPD rThigh(-0.2856 + slope(com_x) * (-0.228 + 3.53 * slope(com_x)), -191.3, -27.87).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(contact rFoot);
    TRANSITION to(6).after(time 0.3749);
  ENDPHASE
  PHASE 6
    ACTIONS
      LIPOSE lKnee(1.116 + slope(com_x) * (1.06 + 2.99 * slope(com_x)), 355.5, 15.31).time(0.02);
      LIPOSE lAnkle(0.005232 + slope(com_x) * (-0.457 - 6.84 * slope(com_x)), 83.43, 9.413).time(0.07415);
      LIPOSE rKnee(0.3019 + slope(com_x) * (-0.0712 + 2.83 * slope(com_x)), 729.5, 31.86).time(0.1507);
      LIPOSE rAnkle(-0.1845 + slope(com_x) * (0.637 - 5.71 * slope(com_x)), 629.3, 9.691).time(0.221);
      LIPOSE lShoulder(0.4081 + slope(com_x) * (-0.269 + 6.48 * slope(com_x)), 84.48, 4.148).time(0.2754),
          rShoulder(-0.202 + slope(com_x) * (-0.186 + 2.95 * slope(com_x)), 84.48, 4.148).time(0.2754);
      LIPOSE lElbow(-0.666, 4.812, 5.612).time(0.1672), rElbow(-0.5626, 4.812, 5.612).time(0.1672);
      VPD uTorso(0.09391 + slope(com_x) * (-0.836 - 0.935 * slope(com_x)), 824.1, 66.46).joint(rHip);
      COMFB2 0.04373 -0.3543 j rAnkle
      VPD lThigh(-0.3686 + slope(com_x) * (-0.00228 - 7.05 * slope(com_x)), -526.9, -28.74).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time 0.232);
  ENDPHASE
  PHASE 7
    ACTIONS
      LIPOSE lKnee(0.1297 + slope(com_x) * (0.416 - 2.64 * slope(com_x)), 420.8, 20.59).time(0.1465);
      LIPOSE lAnkle(0.1025 + slope(com_x) * (0.879 + 2.63 * slope(com_x)), 136.1, 7.972).time(0.1998);
      LIPOSE rKnee(0.4266 + slope(com_x) * (-0.374 + 4.68 * slope(com_x)), 308.2, 38.01).time(0.1465);
      LIPOSE rAnkle(0.03856 + slope(com_x) * (-0.552 - 4.17 * slope(com_x)), 399.9, 23.93).time(0.1998);
      VPD uTorso(0.05837 + slope(com_x) * (-0.474 - 1.89 * slope(com_x)), 154.5, 46.26).joint(rHip);
      COMFB2 0.1882 -0.1455 j rAnkle
      VPD lThigh(-0.4168 + slope(com_x) * (0.663 + 2.46 * slope(com_x)), -259.6, -26.26).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
    TRANSITION to(-1).after(time 0.2133);
  ENDPHASE
ENDSCRIPT
