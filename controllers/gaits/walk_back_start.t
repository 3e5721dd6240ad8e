# The first step of a walk backward, from a stand: the body leans back until its balance is lost, the right foot goes back.
BEGINSCRIPT walk_back_start(void)
  PHASE 0  # lean back
    ACTIONS
      POSE neck2head(-0.08357, 60, 10), uTorso2neck(-0.1141, 60, 10);
      POSE waist(0.08115, 834.3, 61.66), lTorso2uTorso(0.2111, 900, 80), bWrist(0.1145, 7.88, 3.547);
      LIPOSE bAnkle(0.09061, 250, 12.33).time(0.257), bHip(-0.06562, 500, 30).time(0.3231),
          bKnee(0.09962, 420, 45).time(0.3229);
      VFSFB uTorso(300).by(bAnkle).speed(-0.4282);
    ENDACTIONS
    TRANSITION to(1).after(when com_x + 0.3401 * com_vx < x(lFoot) - 0.1289);
    TRANSITION to(fail).after(time 3);  # fix
  ENDPHASE
  PHASE 1  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(0.9754, 197.2, 17.38).time(0.06126), rAnkle(-0.4142, 100, 7.797).time(0.06959);
      LIPOSE lKnee(0.237, 400, 21.85).time(0.1269), lAnkle(0.01785, 307.3, 10.48).time(0.2304);
      LIPOSE rShoulder(-0.1489, 30.11, 4.976).time(0.2519), lShoulder(0.2593, 30.11, 4.976).time(0.2519);
      LIPOSE bElbow(-0.3516, 41.61, 3.864).time(0.3477);
      VPD uTorso(-0.04278, 375.3, 72.51).joint(lHip);
      COMFB2 -0.305 -0.1703 j lAnkle
      VPD rThigh(-0.03821, -134.1, -24.04).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2429);
  ENDPHASE
  PHASE 2  # down behind
    ACTIONS
      LIPOSE rKnee(0.3104, 233, 16.57).time(0.1233), rAnkle(-0.1504, 76.02, 10.23).time(0.158);
      LIPOSE lKnee(0.2766, 469, 24.56).time(0.1233), lAnkle(-0.1504, 262.6, 17.44).time(0.2501);
      VPD uTorso(0.1518, 336.9, 78.72).joint(lHip);
      COMFB2 0.006097 -0.2924 j lAnkle
      VPD rThigh(0.02936, -134.8, -29.66).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .5);  # fix
  ENDPHASE
ENDSCRIPT
