# The first step of a walk backward, from a stand: the body leans back until its balance is lost, the right foot goes back.
BEGINSCRIPT walk_back_start(void)
  PHASE 0  # lean back
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10);
      POSE waist(0.1, 834.3, 61.66), lTorso2uTorso(0.15, 900, 80), bWrist(0.03791, 7.88, 3.547);
      LIPOSE bAnkle(-0.07, 250, 12.33).time(0.25), bHip(-0.1, 500, 30).time(0.3), bKnee(0.09, 420, 45).time(0.3);
      VFSFB uTorso(300).by(bAnkle).speed(-.35);
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .32 * com_vx < x(lFoot) - .11);
    TRANSITION to(fail).after(time 3);  # fix
  ENDPHASE
  PHASE 1  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(0.9242, 197.2, 17.38).time(0.06219), rAnkle(-0.4, 100, 7.797).time(0.06);
      LIPOSE lKnee(0.1058, 400, 21.85).time(0.1416), lAnkle(-0.02858, 307.3, 10.48).time(0.3);
      LIPOSE rShoulder(-0.2, 30.11, 4.976).time(0.2664), lShoulder(0.2, 30.11, 4.976).time(0.2664);
      LIPOSE bElbow(-0.4, 41.61, 3.864).time(0.3159);
      VPD uTorso(-0.05, 375.3, 72.51).joint(lHip);
      COMFB2 -0.2667 -0.1659 j lAnkle
      VPD rThigh(-0.04844, -134.1, -24.04).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2527);
  ENDPHASE
  PHASE 2  # down behind
    ACTIONS
      LIPOSE rKnee(0.238, 233, 16.57).time(0.1199), rAnkle(-0.1, 76.02, 10.23).time(0.1636);
      LIPOSE lKnee(0.2656, 469, 24.56).time(0.1199), lAnkle(-0.1, 262.6, 17.44).time(0.2);
      VPD uTorso(-0.05, 336.9, 78.72).joint(lHip);
      COMFB2 -0.01053 -0.253 j lAnkle
      VPD rThigh(0.05, -134.8, -29.66).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .5);  # fix
  ENDPHASE
ENDSCRIPT
