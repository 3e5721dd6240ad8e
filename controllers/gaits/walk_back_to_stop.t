# From the walk backward to a stand: the right foot set down farther behind, the body stopped over it, the left foot beside it.
BEGINSCRIPT walk_back_to_stop(void)
  PHASE 0  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(0.9408, 177.8, 21.17).time(0.06779), rAnkle(-0.3844, 110.3, 8.835).time(0.04879);
      LIPOSE lKnee(0.09586, 482.8, 27.87).time(0.1207), lAnkle(-0.0003485, 267.9, 13.66).time(0.2022);
      LIPOSE bShoulder(-0.2185, 25.74, 4.87).time(0.2337), bElbow(-0.2602, 47.06, 4.02).time(0.2934);
      VPD uTorso(0.04296, 339.2, 63.74).joint(lHip);
      COMFB2 -0.2124 -0.2683 j lAnkle
      VPD rThigh(0.07026, -149.6, -20.66).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2332);
  ENDPHASE
  PHASE 1  # down behind
    ACTIONS
      LIPOSE rKnee(0.3341, 213.3, 24.68).time(0.09553), rAnkle(-0.2442, 127.8, 9.401).time(0.1159);
      LIPOSE lKnee(0.2175, 524.6, 27.3).time(0.09553), lAnkle(-0.08892, 242.5, 21.1).time(0.2603);
      VPD uTorso(0.0295, 328.2, 74.13).joint(lHip);
      COMFB2 -0.05494 -0.286 j lAnkle
      VPD rThigh(0.03024, -193.9, -24.31).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot and time 0.02999);
    TRANSITION to(2).after(time .35);  # fix
  ENDPHASE
  PHASE 2  # the body stops
    ACTIONS
      LIPOSE rKnee(0.4254, 439.1, 37.91).time(0.2089), rAnkle(-0.1986, 312.2, 23.06).time(0.1271);
      LIPOSE lKnee(0.2753, 273, 29.36).time(0.2089), lAnkle(0.0583, 105.6, 12.46).time(0.2411);
      VFFB uTorso(919.2, 531.1).by(rAnkle).over(part rFoot);
      VPD uTorso(0.06255, 387.8, 57.08).joint(rHip);
      VPD lThigh(-0.3287, -170.6, -18.8).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.4447);
  ENDPHASE
  PHASE 3  # the left foot follows
    ACTIONS
      LIPOSE rKnee(0.3513, 497.6, 35.86).time(0.218), rAnkle(-0.1633, 265.7, 27.11).time(0.1966);
      LIPOSE lKnee(0.7071, 206.9, 27.1).time(0.1625), lAnkle(-0.1662, 61.34, 9.497).time(0.1966);
      VFFB uTorso(1084, 449.2).by(rAnkle).over(part rFoot);
      VPD uTorso(0.07637, 373.4, 49.48).joint(rHip);
      VPD lThigh(-0.1423, -182.5, -17.67).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2869);
  ENDPHASE
  PHASE 4  # beside it
    ACTIONS
      LIPOSE rHip(-0.1612, 603.2, 79.96).time(0.3548), rKnee(0.1641, 365.6, 43.54).time(0.5749),
          rShoulder(0.1124, 35.49, 8.696).time(0.3334), rElbow(0.009603, 46.96, 8.639).time(0.4827);
      LIPOSE lShoulder(0.1124, 35.49, 8.696).time(0.3334), lElbow(0.009603, 46.96, 8.639).time(0.4827);
      MATCH lHip.to(rHip).time(0.3256), lKnee.to(rKnee).time(0.3256), lAnkle.to(rAnkle).time(0.3256);
      VFFB uTorso(1382, 438.1).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.5098);
  ENDPHASE
  PHASE 5
    > stand.t(.8, .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
