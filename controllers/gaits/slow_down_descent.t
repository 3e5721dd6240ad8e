# The four braking steps of slow_down on descents.
BEGINSCRIPT slow_down_descent(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      LIPOSE waist(0.2636, 944.3, 62.89).time(0.2023), lTorso2uTorso(-0.1548, 1013, 98.05).time(0.2912);
      POSE bWrist(-0.1162, 5.42, 3.86);
      LIPOSE rKnee(1.083 + slope(com_x) * (-0.894 + 8.48 * slope(com_x)), 219.5 + slope(com_x) * (200 - 2510 * slope(com_x)), 10.75 + slope(com_x) * (33.1 - 414 * slope(com_x))).time(0.08049);
      LIPOSE rAnkle(-0.2472 + slope(com_x) * (0.362 - 5.93 * slope(com_x)), 117.9 + slope(com_x) * (-281 + 3520 * slope(com_x)), 5.175 + slope(com_x) * (-13.3 + 167 * slope(com_x))).time(0.1907);
      LIPOSE lKnee(0.5041 + slope(com_x) * (0.187 - 2.43 * slope(com_x)), 532.3 + slope(com_x) * (455 - 5690 * slope(com_x)), 42.2 + slope(com_x) * (26.2 - 328 * slope(com_x))).time(0.1758);
      LIPOSE lAnkle(-0.1241 + slope(com_x) * (1.3 - 7.12 * slope(com_x)), 432.7 + slope(com_x) * (-198 + 2470 * slope(com_x)), 8.615 + slope(com_x) * (-32.5 + 406 * slope(com_x))).time(0.08652);
      LIPOSE rShoulder(0.2106, 49.23, 6.162).time(0.1749), lShoulder(-0.3719, 49.23, 6.162).time(0.1749);
      LIPOSE rElbow(-0.9086, 45.92, 4.782).time(0.2095), lElbow(-0.5572, 45.92, 4.782).time(0.2095);
      VPD uTorso(-0.04414 + slope(com_x) * (-1.68 + 22.9 * slope(com_x)), 587.5 + slope(com_x) * (-2440 + 30500 * slope(com_x)), 78.68 + slope(com_x) * (-447 + 5580 * slope(com_x))).joint(lHip);
      COMFB2 (0.07437 + slope(com_x) * (1.92 - 24 * slope(com_x))) (-0.1673 + slope(com_x) * (-0.0178 + 0.223 * slope(com_x))) j lAnkle
      VPD rThigh(-0.5601 + slope(com_x) * (-0.715 + 2.96 * slope(com_x)), -234.6 + slope(com_x) * (210 - 2620 * slope(com_x)), -25 + slope(com_x) * (34.1 - 426 * slope(com_x))).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1469 + slope(com_x) * (0.0237 - 0.296 * slope(com_x)));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(0.1188 + slope(com_x) * (-0.949 + 14.2 * slope(com_x)), 357.3 + slope(com_x) * (415 - 5190 * slope(com_x)), 11.69 + slope(com_x) * (-16.9 + 211 * slope(com_x))).time(0.1296);
      LIPOSE rAnkle(0.08346 + slope(com_x) * (0.0627 + 2.81 * slope(com_x)), 192.2 + slope(com_x) * (454 - 5680 * slope(com_x)), 12.59 + slope(com_x) * (41.7 - 521 * slope(com_x))).time(0.1574);
      LIPOSE lKnee(0.3586 + slope(com_x) * (0.437 - 12.9 * slope(com_x)), 532.4 + slope(com_x) * (-1320 + 16500 * slope(com_x)), 45.25 + slope(com_x) * (-44.9 + 561 * slope(com_x))).time(0.1296);
      LIPOSE lAnkle(0.1705 + slope(com_x) * (0.274 + 10.2 * slope(com_x)), 149.5 + slope(com_x) * (83.9 - 1050 * slope(com_x)), 10.85 + slope(com_x) * (-2.74 + 34.3 * slope(com_x))).time(0.1574);
      VPD uTorso(0.06425 + slope(com_x) * (-0.0159 - 3.28 * slope(com_x)), 191.6 + slope(com_x) * (-227 + 2840 * slope(com_x)), 43.75 + slope(com_x) * (-10.5 + 131 * slope(com_x))).joint(lHip);
      COMFB2 (0.1771 + slope(com_x) * (-0.278 + 3.47 * slope(com_x))) (-0.01223 + slope(com_x) * (0.313 - 3.91 * slope(com_x))) j lAnkle
      VPD rThigh(-0.2399 + slope(com_x) * (0.81 - 22.7 * slope(com_x)), -212.2 + slope(com_x) * (-278 + 3480 * slope(com_x)), -21.84 + slope(com_x) * (39.6 - 495 * slope(com_x))).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time 0.1785);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE lKnee(1.125 + slope(com_x) * (0.406 - 2.83 * slope(com_x)), 139.2 + slope(com_x) * (169 - 2110 * slope(com_x)), 2.063 + slope(com_x) * (-1.14 + 14.2 * slope(com_x))).time(0.07224);
      LIPOSE lAnkle(-0.3113 + slope(com_x) * (-1.36 + 14 * slope(com_x)), 45.75 + slope(com_x) * (14.9 - 187 * slope(com_x)), 4.544 + slope(com_x) * (8.85 - 111 * slope(com_x))).time(0.1734);
      LIPOSE rKnee(0.4681 + slope(com_x) * (-0.452 - 0.148 * slope(com_x)), 583.8 + slope(com_x) * (-1010 + 12600 * slope(com_x)), 38.47 + slope(com_x) * (-80.4 + 1000 * slope(com_x))).time(0.2713);
      LIPOSE rAnkle(-0.05305 + slope(com_x) * (0.533 + 3.73 * slope(com_x)), 483 + slope(com_x) * (-1160 + 14500 * slope(com_x)), 9.515 + slope(com_x) * (-9.38 + 117 * slope(com_x))).time(0.1579);
      LIPOSE lShoulder(0.1707, 80.47, 11.29).time(0.3208), rShoulder(-0.488, 80.47, 11.29).time(0.3208);
      LIPOSE lElbow(-0.6929, 72.19, 5.574).time(0.3235), rElbow(-0.9455, 72.19, 5.574).time(0.3235);
      VPD uTorso(-0.007793 + slope(com_x) * (0.257 - 10.4 * slope(com_x)), 293.7 + slope(com_x) * (-273 + 3420 * slope(com_x)), 71.86 + slope(com_x) * (252 - 3150 * slope(com_x))).joint(rHip);
      COMFB2 (-0.1063 + slope(com_x) * (1.05 - 13.1 * slope(com_x))) (-0.06407 + slope(com_x) * (-0.133 + 1.66 * slope(com_x))) j rAnkle
      VPD lThigh(-0.2733 + slope(com_x) * (0.761 - 10.9 * slope(com_x)), -260.7 + slope(com_x) * (-164 + 2050 * slope(com_x)), -25.07 + slope(com_x) * (19.4 - 243 * slope(com_x))).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2664 + slope(com_x) * (-0.191 + 2.38 * slope(com_x)));
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE lKnee(0.2 + slope(com_x) * (-0.711 + 14.4 * slope(com_x)), 280.4, 12.3).time(0.1522);
      LIPOSE lAnkle(0.07641 + slope(com_x) * (1.24 - 16.9 * slope(com_x)), 237.5, 26).time(0.1642);
      LIPOSE rKnee(0.3428 + slope(com_x) * (0.777 - 6.53 * slope(com_x)), 374.6, 16.87).time(0.1522);
      LIPOSE rAnkle(-0.0783 + slope(com_x) * (0.672 - 17.7 * slope(com_x)), 394.2, 20.95).time(0.1642);
      VPD uTorso(-0.4543 + slope(com_x) * (0.0719 - 0.459 * slope(com_x)), 335.3 + slope(com_x) * (6.6 - 82.5 * slope(com_x)), 88.36 + slope(com_x) * (200 - 2500 * slope(com_x))).joint(rHip);
      COMFB2 (0.06942 + slope(com_x) * (-1.23 + 15.3 * slope(com_x))) (-0.1414 + slope(com_x) * (-0.332 + 4.14 * slope(com_x))) j rAnkle
      VPD lThigh(-0.348 + slope(com_x) * (0.0907 - 7.32 * slope(com_x)), -330.2, -13.37).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
    TRANSITION to(4).after(time 0.517);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE rKnee(1.192 + slope(com_x) * (0.964 - 7.37 * slope(com_x)), 155.5, 14.43).time(0.06087);
      LIPOSE rAnkle(-0.07632 + slope(com_x) * (0.452 - 5.48 * slope(com_x)), 126.7, 4.512).time(0.119);
      LIPOSE lKnee(0.2236 + slope(com_x) * (-1.03 + 12.4 * slope(com_x)), 652.1, 41.4).time(0.08127);
      LIPOSE lAnkle(-0.08878 + slope(com_x) * (-0.344 - 3.89 * slope(com_x)), 637.8, 15.08).time(0.08724);
      LIPOSE rShoulder(0.1845, 68.83, 6.413).time(0.2861), lShoulder(-0.07849, 68.83, 6.413).time(0.2861);
      LIPOSE rElbow(-0.4928, 94.45, 5.946).time(0.1677), lElbow(-0.6878, 94.45, 5.946).time(0.1677);
      VPD uTorso(-0.2888 + slope(com_x) * (0.54 - 11.7 * slope(com_x)), 558.9 + slope(com_x) * (422 - 5270 * slope(com_x)), 63.01 + slope(com_x) * (93.4 - 1170 * slope(com_x))).joint(lHip);
      COMFB2 (0.3709 + slope(com_x) * (0.557 - 6.97 * slope(com_x))) (-0.1641 + slope(com_x) * (-0.594 + 7.42 * slope(com_x))) j lAnkle
      VPD rThigh(-0.3631 + slope(com_x) * (-0.187 + 0.342 * slope(com_x)), -93.74, -13.3).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2838 + slope(com_x) * (-0.0439 + 0.549 * slope(com_x)));
  ENDPHASE
  PHASE 5
    ACTIONS
      LIPOSE rKnee(0.2688 + slope(com_x) * (-0.51 + 8.74 * slope(com_x)), 310.5, 21.45).time(0.07244);
      LIPOSE rAnkle(-0.2417 + slope(com_x) * (0.269 + 2.22 * slope(com_x)), 295.4, 6.355).time(0.2117);
      LIPOSE lKnee(0.3838 + slope(com_x) * (-0.394 + 7.64 * slope(com_x)), 513.1, 52.27).time(0.07244);
      LIPOSE lAnkle(0.1578 + slope(com_x) * (1.56 - 15.4 * slope(com_x)), 265.3, 19).time(0.2117);
      VPD uTorso(0.3325 + slope(com_x) * (0.544 - 5.83 * slope(com_x)), 522.4 + slope(com_x) * (-365 + 4560 * slope(com_x)), 39.93 + slope(com_x) * (57.6 - 720 * slope(com_x))).joint(lHip);
      COMFB2 (0.3939 + slope(com_x) * (0.35 - 4.38 * slope(com_x))) (-0.05922 + slope(com_x) * (-0.424 + 5.29 * slope(com_x))) j lAnkle
      VPD rThigh(-0.2856 + slope(com_x) * (0.13 + 0.929 * slope(com_x)), -191.3, -27.87).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(contact rFoot);
    TRANSITION to(6).after(time 0.3749);
  ENDPHASE
  PHASE 6
    ACTIONS
      LIPOSE lKnee(1.116 + slope(com_x) * (1.15 - 3.66 * slope(com_x)), 355.5, 15.31).time(0.02);
      LIPOSE lAnkle(0.005232 + slope(com_x) * (-0.938 + 0.878 * slope(com_x)), 83.43, 9.413).time(0.07415);
      LIPOSE rKnee(0.3019 + slope(com_x) * (0.66 - 5.07 * slope(com_x)), 729.5, 31.86).time(0.1507);
      LIPOSE rAnkle(-0.1845 + slope(com_x) * (0.229 + 2.12 * slope(com_x)), 629.3, 9.691).time(0.221);
      LIPOSE lShoulder(0.4081, 84.48, 4.148).time(0.2754), rShoulder(-0.202, 84.48, 4.148).time(0.2754);
      LIPOSE lElbow(-0.666, 4.812, 5.612).time(0.1672), rElbow(-0.5626, 4.812, 5.612).time(0.1672);
      VPD uTorso(0.09391 + slope(com_x) * (0.685 - 15.8 * slope(com_x)), 824.1 + slope(com_x) * (-1000 + 12500 * slope(com_x)), 66.46 + slope(com_x) * (69.9 - 873 * slope(com_x))).joint(rHip);
      COMFB2 (0.04373 + slope(com_x) * (-0.73 + 9.13 * slope(com_x))) (-0.3543 + slope(com_x) * (-0.832 + 10.4 * slope(com_x))) j rAnkle
      VPD lThigh(-0.3686 + slope(com_x) * (0.294 - 10.7 * slope(com_x)), -526.9, -28.74).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time 0.232 + slope(com_x) * (-0.259 + 3.23 * slope(com_x)));
  ENDPHASE
  PHASE 7
    ACTIONS
      LIPOSE lKnee(0.1297 + slope(com_x) * (-0.145 + 3.3 * slope(com_x)), 420.8, 20.59).time(0.1465);
      LIPOSE lAnkle(0.1025 + slope(com_x) * (1.69 - 9.59 * slope(com_x)), 136.1, 7.972).time(0.1998);
      LIPOSE rKnee(0.4266 + slope(com_x) * (1.73 - 21.6 * slope(com_x)), 308.2, 38.01).time(0.1465);
      LIPOSE rAnkle(0.03856 + slope(com_x) * (-0.075 + 4.17 * slope(com_x)), 399.9, 23.93).time(0.1998);
      VPD uTorso(0.05837 + slope(com_x) * (-0.791 - 0.0729 * slope(com_x)), 154.5 + slope(com_x) * (-475 + 5940 * slope(com_x)), 46.26 + slope(com_x) * (-64.1 + 801 * slope(com_x))).joint(rHip);
      COMFB2 (0.1882 + slope(com_x) * (-1.14 + 14.2 * slope(com_x))) (-0.1455 + slope(com_x) * (-1.56 + 19.5 * slope(com_x))) j rAnkle
      VPD lThigh(-0.4168 + slope(com_x) * (0.107 - 0.644 * slope(com_x)), -259.6, -26.26).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
    TRANSITION to(-1).after(time 0.2133);
  ENDPHASE
ENDSCRIPT
