# From the run into the walk: four braking steps. On descents steeper than 2.3 degrees, all four have other constants.
SCRIPTS slow_down_descent.t;
BEGINSCRIPT slow_down(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      LIPOSE waist(0.2636, 944.3, 62.89).time(0.2023), lTorso2uTorso(-0.1548, 1013, 98.05).time(0.2912);
      POSE bWrist(-0.1162, 5.42, 3.86);
      LIPOSE rKnee(1.083 + slope(com_x) * (-0.251 + 0.447 * slope(com_x)), 219.5, 10.75).time(0.08049);
      LIPOSE rAnkle(-0.2472 + slope(com_x) * (0.359 - 5.9 * slope(com_x)), 117.9, 5.175).time(0.1907);
      LIPOSE lKnee(0.5041 + slope(com_x) * (-0.069 + 0.769 * slope(com_x)), 532.3, 42.2).time(0.1758);
      LIPOSE lAnkle(-0.1241 + slope(com_x) * (0.562 + 2.17 * slope(com_x)), 432.7, 8.615).time(0.08652);
      LIPOSE rShoulder(0.2106, 49.23, 6.162).time(0.1749), lShoulder(-0.3719, 49.23, 6.162).time(0.1749);
      LIPOSE rElbow(-0.9086, 45.92, 4.782).time(0.2095), lElbow(-0.5572, 45.92, 4.782).time(0.2095);
      VPD uTorso(-0.04414 + slope(com_x) * (-0.249 + 4.98 * slope(com_x)), 587.5, 78.68).joint(lHip);
      COMFB2 0.07437 -0.1673 j lAnkle
      VPD rThigh(-0.5601 + slope(com_x) * (-0.394 - 1.05 * slope(com_x)), -234.6, -25).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(8).after(when slope(com_x) < -0.04 and when phase_time < 0.009);  # only at the start
    TRANSITION to(1).after(time 0.1469);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(0.1188 + slope(com_x) * (0.381 - 2.47 * slope(com_x)), 357.3, 11.69).time(0.1296);
      LIPOSE rAnkle(0.08346 + slope(com_x) * (-0.272 + 6.99 * slope(com_x)), 192.2, 12.59).time(0.1574);
      LIPOSE lKnee(0.3586 + slope(com_x) * (-0.311 - 3.54 * slope(com_x)), 532.4, 45.25).time(0.1296);
      LIPOSE lAnkle(0.1705 + slope(com_x) * (0.763 + 4.11 * slope(com_x)), 149.5, 10.85).time(0.1574);
      VPD uTorso(0.06425 + slope(com_x) * (-0.595 + 3.96 * slope(com_x)), 191.6, 43.75).joint(lHip);
      COMFB2 0.1771 -0.01223 j lAnkle
      VPD rThigh(-0.2399 + slope(com_x) * (-0.62 - 4.86 * slope(com_x)), -212.2, -21.84).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time 0.1785);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE lKnee(1.125 + slope(com_x) * (0.396 - 2.7 * slope(com_x)), 139.2, 2.063).time(0.07224);
      LIPOSE lAnkle(-0.3113 + slope(com_x) * (-0.327 + 1.01 * slope(com_x)), 45.75, 4.544).time(0.1734);
      LIPOSE rKnee(0.4681 + slope(com_x) * (-0.408 - 0.701 * slope(com_x)), 583.8, 38.47).time(0.2713);
      LIPOSE rAnkle(-0.05305 + slope(com_x) * (0.752 + 0.998 * slope(com_x)), 483, 9.515).time(0.1579);
      LIPOSE lShoulder(0.1707, 80.47, 11.29).time(0.3208), rShoulder(-0.488, 80.47, 11.29).time(0.3208);
      LIPOSE lElbow(-0.6929, 72.19, 5.574).time(0.3235), rElbow(-0.9455, 72.19, 5.574).time(0.3235);
      VPD uTorso(-0.007793 + slope(com_x) * (-0.0144 - 6.99 * slope(com_x)), 293.7, 71.86).joint(rHip);
      COMFB2 -0.1063 -0.06407 j rAnkle
      VPD lThigh(-0.2733 + slope(com_x) * (-0.042 - 0.873 * slope(com_x)), -260.7, -25.07).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2664);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE lKnee(0.3 + slope(com_x) * (-0.9 + 2.51 * slope(com_x)), 280.4, 12.3).time(0.1522);
      LIPOSE lAnkle(-0.1 + slope(com_x) * (1.86 + 0.684 * slope(com_x)), 237.5, 26).time(0.1642);
      LIPOSE rKnee(0.3428 + slope(com_x) * (0.423 - 2.11 * slope(com_x)), 374.6, 16.87).time(0.1522);
      LIPOSE rAnkle(-0.0783 + slope(com_x) * (-0.609 - 1.66 * slope(com_x)), 394.2, 20.95).time(0.1642);
      VPD uTorso(-0.4543 + slope(com_x) * (-0.164 + 2.49 * slope(com_x)), 335.3, 88.36).joint(rHip);
      COMFB2 0.06942 -0.1414 j rAnkle
      VPD lThigh(-0.348 + slope(com_x) * (-0.453 - 0.519 * slope(com_x)), -330.2, -13.37).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
    TRANSITION to(4).after(time 0.517);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE rKnee(1.192 + slope(com_x) * (0.384 - 0.111 * slope(com_x)), 155.5, 14.43).time(0.06087);
      LIPOSE rAnkle(-0.07632 + slope(com_x) * (0.283 - 3.36 * slope(com_x)), 126.7, 4.512).time(0.119);
      LIPOSE lKnee(0.2236 + slope(com_x) * (-0.365 + 4.1 * slope(com_x)), 652.1, 41.4).time(0.08127);
      LIPOSE lAnkle(-0.08878 + slope(com_x) * (-0.556 - 1.24 * slope(com_x)), 637.8, 15.08).time(0.08724);
      LIPOSE rShoulder(0.1845, 68.83, 6.413).time(0.2861), lShoulder(-0.07849, 68.83, 6.413).time(0.2861);
      LIPOSE rElbow(-0.4928, 94.45, 5.946).time(0.1677), lElbow(-0.6878, 94.45, 5.946).time(0.1677);
      VPD uTorso(-0.2888 + slope(com_x) * (-0.0425 - 4.42 * slope(com_x)), 558.9, 63.01).joint(lHip);
      COMFB2 0.3709 -0.1641 j lAnkle
      VPD rThigh(-0.3631 + slope(com_x) * (-0.0852 - 0.934 * slope(com_x)), -93.74, -13.3).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2838);
  ENDPHASE
  PHASE 5
    ACTIONS
      LIPOSE rKnee(0.2688 + slope(com_x) * (-0.195 + 4.81 * slope(com_x)), 310.5, 21.45).time(0.07244);
      LIPOSE rAnkle(-0.2417 + slope(com_x) * (0.119 + 4.09 * slope(com_x)), 295.4, 6.355).time(0.2117);
      LIPOSE lKnee(0.3838 + slope(com_x) * (0.234 - 0.206 * slope(com_x)), 513.1, 52.27).time(0.07244);
      LIPOSE lAnkle(0.1578 + slope(com_x) * (0.132 + 2.39 * slope(com_x)), 265.3, 19).time(0.2117);
      VPD uTorso(0.3325 + slope(com_x) * (0.165 - 1.09 * slope(com_x)), 522.4, 39.93).joint(lHip);
      COMFB2 0.3939 -0.05922 j lAnkle
      VPD rThigh(-0.2856 + slope(com_x) * (0.138 + 0.834 * slope(com_x)), -191.3, -27.87).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(contact rFoot);
    TRANSITION to(6).after(time 0.3749);
  ENDPHASE
  PHASE 6
    ACTIONS
      LIPOSE lKnee(1.116 + slope(com_x) * (0.697 + 1.97 * slope(com_x)), 355.5, 15.31).time(0.02);
      LIPOSE lAnkle(0.005232 + slope(com_x) * (-0.613 - 3.19 * slope(com_x)), 83.43, 9.413).time(0.07415);
      LIPOSE rKnee(0.3019 + slope(com_x) * (0.261 - 0.0736 * slope(com_x)), 729.5, 31.86).time(0.1507);
      LIPOSE rAnkle(-0.1845 + slope(com_x) * (0.767 - 4.61 * slope(com_x)), 629.3, 9.691).time(0.221);
      LIPOSE lShoulder(0.4081, 84.48, 4.148).time(0.2754), rShoulder(-0.202, 84.48, 4.148).time(0.2754);
      LIPOSE lElbow(-0.666, 4.812, 5.612).time(0.1672), rElbow(-0.5626, 4.812, 5.612).time(0.1672);
      VPD uTorso(0.09391 + slope(com_x) * (-0.167 - 5.18 * slope(com_x)), 824.1, 66.46).joint(rHip);
      COMFB2 0.04373 -0.3543 j rAnkle
      VPD lThigh(-0.3686 + slope(com_x) * (-0.34 - 2.82 * slope(com_x)), -526.9, -28.74).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time 0.232);
  ENDPHASE
  PHASE 7
    ACTIONS
      LIPOSE lKnee(0.1297 + slope(com_x) * (0.0303 + 1.1 * slope(com_x)), 420.8, 20.59).time(0.1465);
      LIPOSE lAnkle(0.1025 + slope(com_x) * (0.528 + 4.94 * slope(com_x)), 136.1, 7.972).time(0.1998);
      LIPOSE rKnee(0.4266 + slope(com_x) * (-0.00526 + 0.136 * slope(com_x)), 308.2, 38.01).time(0.1465);
      LIPOSE rAnkle(0.03856 + slope(com_x) * (0.238 + 0.258 * slope(com_x)), 399.9, 23.93).time(0.1998);
      VPD uTorso(0.05837 + slope(com_x) * (-0.54 - 3.21 * slope(com_x)), 154.5, 46.26).joint(rHip);
      COMFB2 0.1882 -0.1455 j rAnkle
      VPD lThigh(-0.4168 + slope(com_x) * (0.312 - 3.21 * slope(com_x)), -259.6, -26.26).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
    TRANSITION to(-1).after(time 0.2133);
  ENDPHASE
  PHASE 8
    > slow_down_descent();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
