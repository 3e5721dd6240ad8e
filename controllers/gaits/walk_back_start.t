# The first step of a walk backward, from a stand: the body leans back until its balance is lost, the right foot goes back.
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
    TRANSITION to(fail).after(time 3);  # fix
  ENDPHASE
  PHASE 1  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(0.9043, 245.3, 19.01).time(0.05808), rAnkle(-0.3801, 88.05, 10.36).time(0.05768);
      LIPOSE lKnee(0.2901, 318.7, 19.93).time(0.1103), lAnkle(0.1834, 346.8, 11.84).time(0.3119);
      LIPOSE rShoulder(-0.1626, 28.68, 4.362).time(0.2012), lShoulder(0.3515, 28.68, 4.362).time(0.2012);
      LIPOSE bElbow(-0.332, 36.17, 3.438).time(0.3064);
      VPD uTorso(-0.0786, 360.7, 72.83).joint(lHip);
      COMFB2 -0.2077 -0.1561 j lAnkle
      VPD rThigh(0.171, -132.5, -24.58).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.29);
  ENDPHASE
  PHASE 2  # down behind
    ACTIONS
      LIPOSE rKnee(0.2196, 231.6, 16.17).time(0.141), rAnkle(-0.07365, 84.41, 10.16).time(0.1753);
      LIPOSE lKnee(0.2562, 512.8, 20.09).time(0.141), lAnkle(-0.07365, 318.4, 21.99).time(0.23);
      VPD uTorso(0.257, 327.3, 93.48).joint(lHip);
      COMFB2 -0.0594 -0.2624 j lAnkle
      VPD rThigh(-0.1928, -152.1, -26.51).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .5);  # fix
  ENDPHASE
ENDSCRIPT
