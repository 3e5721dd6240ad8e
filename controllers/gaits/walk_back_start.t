# The first step of a walk backward from the stand: the body leans back until it loses balance, then the right foot steps back.
BEGINSCRIPT walk_back_start(void)
  PHASE 0  # lean back
    ACTIONS
      POSE neck2head(-0.2207, 42.35, 9.515), uTorso2neck(-0.2338, 74.14, 10.44);
      POSE waist(0.2323, 820.1, 64.3), lTorso2uTorso(0.154, 869.9, 87.77), bWrist(0.3192, 8.389, 3.985);
      LIPOSE bAnkle(0.0499, 217.9, 12.43).time(0.3001), bHip(0.01593, 467.1, 39.69).time(0.3332),
          bKnee(0.2387, 426.5, 42.1).time(0.2697);
      VFSFB uTorso(319.7).by(bAnkle).speed(-0.4282);
    ENDACTIONS
    TRANSITION to(1).after(when com_x + 0.3401 * com_vx < x(lFoot) - 0.1289);
    TRANSITION to(fail).after(time 3);
  ENDPHASE
  PHASE 1  # lift the right foot and move it back
    ACTIONS
      LIPOSE rKnee(0.8678, 245.3, 19.01).time(0.0557), rAnkle(-0.3873, 88.05, 10.36).time(0.05758);
      LIPOSE lKnee(0.3322, 318.7, 19.93).time(0.1168), lAnkle(0.1341, 346.8, 11.84).time(0.31);
      LIPOSE rShoulder(-0.1967, 28.68, 4.362).time(0.197), lShoulder(0.3579, 28.68, 4.362).time(0.197);
      LIPOSE bElbow(-0.3404, 36.17, 3.438).time(0.3278);
      VPD uTorso(-0.1646, 360.7, 72.83).joint(lHip);
      COMFB2 -0.1987 -0.1709 j lAnkle
      VPD rThigh(0.2193, -132.5, -24.58).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2656);
  ENDPHASE
  PHASE 2  # put it down behind
    ACTIONS
      LIPOSE rKnee(0.2175, 231.6, 16.17).time(0.1464), rAnkle(-0.09227, 84.41, 10.16).time(0.1749);
      LIPOSE lKnee(0.1775, 512.8, 20.09).time(0.1464), lAnkle(-0.09227, 318.4, 21.99).time(0.2303);
      VPD uTorso(0.2254, 327.3, 93.48).joint(lHip);
      COMFB2 -0.03944 -0.2646 j lAnkle
      VPD rThigh(-0.2643, -152.1, -26.51).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .5);
  ENDPHASE
ENDSCRIPT
