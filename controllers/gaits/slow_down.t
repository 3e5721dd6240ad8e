# From the run into the walk: four braking steps.
BEGINSCRIPT slow_down(void)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      LIPOSE waist(0.167, 786.3, 67.17).time(0.2947), lTorso2uTorso(-0.1003, 1097, 87.37).time(0.2813);
      POSE bWrist(-0.1208, 6.368, 3.38);
      LIPOSE rKnee(1.072, 195.5, 13.31).time(0.09636);
      LIPOSE rAnkle(-0.226, 103, 4.524).time(0.1265);
      LIPOSE lKnee(0.4509, 545.3, 40.46).time(0.1755);
      LIPOSE lAnkle(-0.1472, 385.6, 10.05).time(0.07166);
      LIPOSE rShoulder(0.2445, 63.29, 4.557).time(0.165), lShoulder(-0.3512, 63.29, 4.557).time(0.165);
      LIPOSE rElbow(-0.9258, 50.05, 4.259).time(0.3309), lElbow(-0.6618, 50.05, 4.259).time(0.3309);
      VPD uTorso(-0.0901, 685.8, 84.33).joint(lHip);
      COMFB2 0.0167 -0.1449 j lAnkle
      VPD rThigh(-0.4993, -211.1, -25.17).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1628);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(0.2437, 356.7, 8.729).time(0.1);
      LIPOSE rAnkle(0.05633, 158.6, 12.98).time(0.1976);
      LIPOSE lKnee(0.3582, 568.1, 33.15).time(0.1);
      LIPOSE lAnkle(0.2377, 180.8, 11.9).time(0.1976);
      VPD uTorso(0.08995, 169, 51.28).joint(lHip);
      COMFB2 0.2958 -0.05881 j lAnkle
      VPD rThigh(-0.3614, -269.6, -18.6).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time 0.1835);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE lKnee(1.14, 170.1, 2.187).time(0.1044);
      LIPOSE lAnkle(-0.2506, 48.76, 5.879).time(0.1226);
      LIPOSE rKnee(0.419, 572.7, 36.66).time(0.245);
      LIPOSE rAnkle(-0.03629, 454.1, 8.255).time(0.1899);
      LIPOSE lShoulder(0.1631, 92.52, 10.06).time(0.2909), rShoulder(-0.344, 92.52, 10.06).time(0.2909);
      LIPOSE lElbow(-0.6872, 64.88, 6.808).time(0.2279), rElbow(-1.03, 64.88, 6.808).time(0.2279);
      VPD uTorso(0.03262, 290.8, 76.76).joint(rHip);
      COMFB2 -0.1092 -0.04821 j rAnkle
      VPD lThigh(-0.2825, -277.3, -20.04).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2649);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE lKnee(0.1901, 266.1, 10.6).time(0.2027);
      LIPOSE lAnkle(0.0245, 228.7, 19).time(0.1805);
      LIPOSE rKnee(0.3295, 344.2, 21.74).time(0.2027);
      LIPOSE rAnkle(-0.09757, 334.7, 23.12).time(0.1805);
      VPD uTorso(-0.5098, 340.1, 73.69).joint(rHip);
      COMFB2 0.0167 -0.1636 j rAnkle
      VPD lThigh(-0.281, -302.8, -12.77).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
    TRANSITION to(4).after(time 0.4541);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE rKnee(1.272, 181.9, 18.44).time(0.0769);
      LIPOSE rAnkle(-0.1918, 124.4, 3.487).time(0.1175);
      LIPOSE lKnee(0.24, 786.2, 40.25).time(0.09319);
      LIPOSE lAnkle(-0.09415, 681.6, 13.52).time(0.06585);
      LIPOSE rShoulder(0.2189, 79.69, 5.712).time(0.382), lShoulder(-0.2021, 79.69, 5.712).time(0.382);
      LIPOSE rElbow(-0.4855, 74.35, 5.357).time(0.181), lElbow(-0.71, 74.35, 5.357).time(0.181);
      VPD uTorso(-0.2983, 448.7, 58.22).joint(lHip);
      COMFB2 0.3083 -0.1533 j lAnkle
      VPD rThigh(-0.3612, -79.19, -14.24).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2399);
  ENDPHASE
  PHASE 5
    ACTIONS
      LIPOSE rKnee(0.1494, 338.5, 26.67).time(0.1007);
      LIPOSE rAnkle(-0.2655, 245.5, 6.274).time(0.2089);
      LIPOSE lKnee(0.3433, 530, 48.61).time(0.1007);
      LIPOSE lAnkle(0.2626, 275.9, 15.89).time(0.2089);
      VPD uTorso(0.2774, 460.5, 57.78).joint(lHip);
      COMFB2 0.3147 -0.06089 j lAnkle
      VPD rThigh(-0.3588, -194.2, -24.52).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(contact rFoot);
    TRANSITION to(6).after(time 0.3875);
  ENDPHASE
  PHASE 6
    ACTIONS
      LIPOSE lKnee(1.137, 314.1, 15.08).time(0.0555);
      LIPOSE lAnkle(-0.09084, 86.33, 9.386).time(0.1094);
      LIPOSE rKnee(0.3251, 682.9, 30.97).time(0.151);
      LIPOSE rAnkle(-0.2772, 622.9, 11.56).time(0.2455);
      LIPOSE lShoulder(0.4356, 93.19, 5.531).time(0.2773), rShoulder(-0.2761, 93.19, 5.531).time(0.2773);
      LIPOSE lElbow(-0.6826, 10.87, 6.547).time(0.2216), rElbow(-0.5295, 10.87, 6.547).time(0.2216);
      VPD uTorso(0.1011, 740.7, 71.7).joint(rHip);
      COMFB2 0.04898 -0.3163 j rAnkle
      VPD lThigh(-0.3488, -548.5, -26).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time 0.2655);
  ENDPHASE
  PHASE 7
    ACTIONS
      LIPOSE lKnee(0.06044, 368.6, 19.04).time(0.1412);
      LIPOSE lAnkle(0.03922, 157.1, 10.12).time(0.1944);
      LIPOSE rKnee(0.3767, 405.5, 47.14).time(0.1412);
      LIPOSE rAnkle(0.001128, 411.6, 27.74).time(0.1944);
      VPD uTorso(0.009727, 147.6, 49.42).joint(rHip);
      COMFB2 0.07598 -0.1909 j rAnkle
      VPD lThigh(-0.3392, -247.1, -27.45).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
    TRANSITION to(-1).after(time 0.2764);
  ENDPHASE
ENDSCRIPT
