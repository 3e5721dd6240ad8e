# One step of walk_back, from the left foot's contact behind to the right one's; mirrored, it is the next step.
BEGINSCRIPT walk_back_step(void)
  PHASE 0  # onto the left foot
    ACTIONS
      LIPOSE lKnee(0.03664, 450, 29.58).time(0.0883), lAnkle(0.008852, 300, 14).time(0.08426);
      LIPOSE rKnee(0.2381, 200.7, 18.94).time(0.0883), rAnkle(0.07565, 150, 9).time(0.08426);
      LIPOSE rShoulder(-0.2954, 30.11, 4.976).time(0.2837), lShoulder(0.06037, 30.11, 4.976).time(0.2837);
      LIPOSE bElbow(-0.4736, 41.61, 3.864).time(0.292);
      VPD uTorso(0.07494, 350, 60).joint(lHip);
      VPD rThigh(-0.1788, -150, -22).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1082);
  ENDPHASE
  PHASE 1  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(1.086, 200.7, 18.94).time(0.08597), rAnkle(-0.3544, 88.63, 7).time(0.1253);
      LIPOSE lKnee(0.06905, 500, 29.58).time(0.1247), lAnkle(-0.05146, 387, 14).time(0.111);
      VPD uTorso(0.1541, 350, 60).joint(lHip);
      COMFB2 -0.117 -0.1483 j lAnkle
      VPD rThigh(-0.1176, -150, -24).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2944);
  ENDPHASE
  PHASE 2  # down behind
    ACTIONS
      LIPOSE rKnee(0.104, 240, 17.86).time(0.1252), rAnkle(-0.1086, 81.56, 9).time(0.1458);
      LIPOSE lKnee(0.1749, 450, 28.57).time(0.2502), lAnkle(0.0968, 263.3, 14).time(0.2411);
      VPD uTorso(-0.06498, 350, 60).joint(lHip);
      COMFB2 -0.1206 -0.2442 j lAnkle
      VPD rThigh(0.1923, -150, -25).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .5);  # fix
  ENDPHASE
ENDSCRIPT
