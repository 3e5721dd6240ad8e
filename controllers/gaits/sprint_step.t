# One step of sprint, from the left foot's contact to the right one's; mirrored, it is the next step.
SET TORQUELIMIT = 1000
BEGINSCRIPT sprint_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.06 + slope * (0.0297 + 7.085 * slope), 796.3, 49.92), lTorso2uTorso(-0.17 + slope * (0.1805 + 3.17 * slope), 1564, 81.17);
      POSE lWrist(0, 10, 2), rWrist(0, 10, 2);
      LIPOSE rKnee(2.062 + slope * (-0.2017 + 1.449 * slope), 296.1, 12.74).time(0.025);
      LIPOSE rAnkle(-0.522 + slope * (0.1803 - 0.9897 * slope), 65.25, 9.686).time(0.03327);
      LIPOSE lKnee(0.5588 + slope * (-0.02632 + 7.134 * slope), 444, 25.29).time(0.09985);
      LIPOSE lAnkle(-0.4675 + slope * (-0.03128 - 1.145 * slope), 402.8, 6.411).time(0.1055);
      LIPOSE rShoulder(0.9076, 105.1, 4.998).time(0.08683), lShoulder(-0.3233, 105.1, 4.998).time(0.08683);
      LIPOSE rElbow(-1.208, 36.07, 4.573).time(0.1451), lElbow(-1.659, 36.07, 4.573).time(0.1451);
      VPD uTorso(0.4 + slope * (0.1386 - 9.872 * slope), 324.6, 81.6).joint(lHip);
      VF (32.2 + slope * (77.75 + 35.78 * slope), 54.24 + slope * (-71.54 - 453.2 * slope), 0).on(pelvis).by(lAnkle);
      COMFB2 0.1018 -0.2121 j lAnkle
      VPD rThigh(-0.1913 + slope * (-0.04426 + 3.546 * slope), -411.3, -21).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.05439 + slope * (-0.014 + 0.4881 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE lKnee(0.3692 + slope * (-0.05383 - 1.19 * slope), 1310, 27.97).time(0.08074);
      LIPOSE lAnkle(0.497 + slope * (0.1203 + 1.135 * slope), 864, 14.92).time(0.07727);
      LIPOSE rKnee(1.497 + slope * (-0.05475 - 1.678 * slope), 205.3, 10.44).time(0.08128);
      VPD uTorso(0.24 + slope * (-0.08323 - 5.001 * slope), 358.8, 78.28).joint(lHip);
      VFSFB uTorso(122.5).by(lAnkle).speed(5.44 + slope * (-0.3845 + 27.37 * slope));
      VF (66.94 + slope * (-158.9 + 423.6 * slope), -85.09 + slope * (53.45 - 1584 * slope), 0).on(pelvis).by(lAnkle);
      COMFB2 0.05713 -0.0467 j lAnkle
      VPD rThigh(-0.711 + slope * (-0.3106 + 5.548 * slope), -476, -25.97).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot);
    TRANSITION to(2).after(time 0.129 + slope * (0.03932 - 1.677 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.2509 + slope * (0.11 + 3.32 * slope), 313.8, 20.47).time(0.07101);
      LIPOSE rAnkle(-0.03822 + slope * (0.008506 + 3.928 * slope), 333.9, 16.71).time(0.04397);
      LIPOSE lKnee(0.9296 + slope * (-0.2378 + 2.324 * slope), 169, 9.716).time(0.07101);
      LIPOSE lAnkle(-0.6416 + slope * (0.07955 + 2.947 * slope), 61.09, 9.184).time(0.04397);
      VPD lThigh(-0.1891 + slope * (-0.04394 + 5.41 * slope), -314.9, -35.87).joint(lHip);
      COMFB2 0.1114 -0.05127 p pelvis
      VPD rThigh(0.4683 + slope * (0.02449 - 5.084 * slope), -380.1, -35.87).joint(rHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
