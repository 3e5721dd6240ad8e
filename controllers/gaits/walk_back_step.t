# One step backward: lean back until the body moves, the right foot off and back, and down behind.
BEGINSCRIPT walk_back_step(void)
  PHASE 0  # lean back until the body moves
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10);
      POSE waist(0.2626, 834.3, 61.66), lTorso2uTorso(0.1684, 1022, 119.8), bWrist(0.03791, 7.88, 3.547);
      LIPOSE bAnkle(0.08146, 230.1, 12.33).time(0.3655);
      VFSFB uTorso(300).by(bAnkle).speed(-.4);
      LIPOSE bHip(-0.006727, 555.1, 28.89).time(0.3611), bKnee(0.068, 499.8, 38.29).time(0.1811);
    ENDACTIONS
    TRANSITION to(1).after(when com_vx < -0.25);
    TRANSITION to(1).after(time .8);  # fix
  ENDPHASE
  PHASE 1  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(1.019, 200.7, 18.94).time(0.06761), rAnkle(-0.3209, 88.63, 5.561).time(0.1254);
      LIPOSE lKnee(0.2273, 619.1, 29.58).time(0.1304), lAnkle(0.1193, 387, 10.47).time(0.08583);
      LIPOSE rShoulder(-0.1995, 30.11, 4.976).time(0.2664), lShoulder(0.2283, 30.11, 4.976).time(0.2664),
          rElbow(-0.4186, 41.61, 3.864).time(0.3159);
      LIPOSE lElbow(-0.4186, 41.61, 3.864).time(0.3159);
      VPD uTorso(0.03178, 263.7, 55.44).joint(lHip);
      COMFB2 -0.1163 -0.1434 j lAnkle
      VPD rThigh(-0.1319, -175, -27.67).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.164);
  ENDPHASE
  PHASE 2  # down behind
    ACTIONS
      LIPOSE rKnee(0.4754, 271.7, 17.86).time(0.1197), rAnkle(-0.02096, 81.56, 8.225).time(0.1407);
      LIPOSE lKnee(0.09874, 416.3, 28.57).time(0.2275), lAnkle(0.03848, 263.3, 8.805).time(0.2269);
      VPD uTorso(0.02757, 154, 52.51).joint(lHip);
      COMFB2 0.02552 -0.188 j lAnkle
      VPD rThigh(0.02157, -163.3, -17.84).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot and time 0.02);
    TRANSITION to(-1).after(time .35);  # fix
  ENDPHASE
ENDSCRIPT
