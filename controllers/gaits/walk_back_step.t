# One step of walk_back, from the left foot's contact behind to the right one's; mirrored, it is the next step.
BEGINSCRIPT walk_back_step(void)
  PHASE 0  # onto the left foot
    ACTIONS
      LIPOSE lKnee(0.2, 450, 29.58).time(0.1), lAnkle(0, 300, 14).time(0.1);
      LIPOSE rKnee(0.35, 200.7, 18.94).time(0.1), rAnkle(0.1, 150, 9).time(0.1);
      LIPOSE rShoulder(-0.2, 30.11, 4.976).time(0.2664), lShoulder(0.2, 30.11, 4.976).time(0.2664);
      LIPOSE bElbow(-0.4, 41.61, 3.864).time(0.3159);
      VPD uTorso(-0.03, 350, 60).joint(lHip);
      VPD rThigh(-0.35, -150, -22).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.12);
  ENDPHASE
  PHASE 1  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(1, 200.7, 18.94).time(0.08), rAnkle(-0.3209, 88.63, 7).time(0.1254);
      LIPOSE lKnee(0.15, 500, 29.58).time(0.1304), lAnkle(0, 387, 14).time(0.12);
      VPD uTorso(-0.03, 350, 60).joint(lHip);
      COMFB2 -0.25 -0.18 j lAnkle
      VPD rThigh(-0.05, -150, -24).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.24);
  ENDPHASE
  PHASE 2  # down behind
    ACTIONS
      LIPOSE rKnee(0.25, 240, 17.86).time(0.1197), rAnkle(-0.02096, 81.56, 9).time(0.1407);
      LIPOSE lKnee(0.2, 450, 28.57).time(0.2275), lAnkle(-0.05, 263.3, 14).time(0.2269);
      VPD uTorso(-0.03, 350, 60).joint(lHip);
      COMFB2 0 -0.25 j lAnkle
      VPD rThigh(0.05, -150, -25).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
    TRANSITION to(-1).after(time .5);  # fix
  ENDPHASE
ENDSCRIPT
