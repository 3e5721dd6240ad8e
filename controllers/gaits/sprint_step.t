# One step of sprint, from the left foot's contact to the right one's; mirrored, it is the next step.
SET TORQUELIMIT = 1000
BEGINSCRIPT sprint_step(slope)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.05464 + slope * (0.0925 + 5.633 * slope), 796.3, 49.92), lTorso2uTorso(-0.1423 + slope * (0.6318 + 4.181 * slope), 1564, 81.17);
      POSE lWrist(0, 10, 2), rWrist(0, 10, 2);
      LIPOSE rKnee(2.062 + slope * (-0.218 + 1.917 * slope), 296.1, 12.74).time(0.025);
      LIPOSE rAnkle(-0.522 + slope * (0.1742 - 0.8152 * slope), 65.25, 9.686).time(0.03327);
      LIPOSE lKnee(0.5588 + slope * (0.07364 + 4.27 * slope), 444, 25.29).time(0.09985);
      LIPOSE lAnkle(-0.4675 + slope * (0.01857 - 2.573 * slope), 402.8, 6.411).time(0.1055);
      LIPOSE rShoulder(0.9076, 105.1, 4.998).time(0.08683), lShoulder(-0.45, 105.1, 4.998).time(0.08683);
      LIPOSE rElbow(-1.3, 70, 5).time(0.13), lElbow(-1.75, 70, 5).time(0.13);
      VPD uTorso(0.41 + slope * (0.6532 - 12.32 * slope), 324.6, 81.6).joint(lHip);
      VF (34.63 + slope * (595.3 - 937 * slope), 46.81 + slope * (-70.53 - 1162 * slope), 0).on(pelvis).by(lAnkle);
      COMFB2 0.1018 -0.2121 j lAnkle
      VPD rThigh(-0.1859 + slope * (0.5491 + 1.765 * slope), -411.3, -21).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.05439 + slope * (-0.006754 + 0.2805 * slope));
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE lKnee(0.3692 + slope * (-0.04787 - 1.361 * slope), 1310, 27.97).time(0.08074);
      LIPOSE lAnkle(0.497 + slope * (0.1812 - 0.6108 * slope), 864, 14.92).time(0.07727);
      LIPOSE rKnee(1.497 + slope * (-0.03962 - 2.112 * slope), 205.3, 10.44).time(0.08128);
      VPD uTorso(0.235 + slope * (0.3508 - 5.682 * slope), 358.8, 78.28).joint(lHip);
      VFSFB uTorso(122.5).by(lAnkle).speed(5.425 + slope * (-0.8738 + 23.47 * slope));
      VF (53.7 + slope * (-207.9 - 58.81 * slope), -85.86 + slope * (149.2 - 2078 * slope), 0).on(pelvis).by(lAnkle);
      COMFB2 0.05713 -0.0467 j lAnkle
      VPD rThigh(-0.7087 + slope * (-0.6556 + 5.086 * slope), -476, -25.97).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot);
    TRANSITION to(2).after(time 0.129 + slope * (0.05428 - 2.106 * slope));
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.2509 + slope * (0.1298 + 2.753 * slope), 313.8, 20.47).time(0.07101);
      LIPOSE rAnkle(-0.03822 + slope * (0.03728 + 3.104 * slope), 333.9, 16.71).time(0.04397);
      LIPOSE lKnee(0.9296 + slope * (-0.2453 + 2.538 * slope), 169, 9.716).time(0.07101);
      LIPOSE lAnkle(-0.6416 + slope * (0.08632 + 2.753 * slope), 61.09, 9.184).time(0.04397);
      VPD lThigh(-0.1848 + slope * (0.1888 + 5.078 * slope), -314.9, -35.87).joint(lHip);
      COMFB2 0.1114 -0.05127 p pelvis
      VPD rThigh(0.4536 + slope * (0.008986 - 4.195 * slope), -380.1, -35.87).joint(rHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
