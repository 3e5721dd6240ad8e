# From the walk backward to a stand: the right foot lands further behind, the body stops over it, the left foot follows.
BEGINSCRIPT walk_back_to_stop(void)
  PHASE 0  # lift the right foot and move it back
    ACTIONS
      LIPOSE rKnee(0.9256, 230.4, 14.6).time(0.07099), rAnkle(-0.4179, 117.4, 10.53).time(0.0479);
      LIPOSE lKnee(-0.03719, 652.3, 33.1).time(0.1492), lAnkle(0.04384, 416.4, 14.45).time(0.148);
      LIPOSE bShoulder(-0.3578, 13.78, 3.968).time(0.2265), bElbow(-0.2737, 32.79, 5.471).time(0.2798);
      VPD uTorso(0.1192, 453.6, 32.43).joint(lHip);
      COMFB2 -0.3327 -0.4358 j lAnkle
      VPD rThigh(-0.00108, -165.2, -23.53).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2172);
  ENDPHASE
  PHASE 1  # put it down behind
    ACTIONS
      LIPOSE rKnee(0.2916, 201.6, 17.49).time(0.1033), rAnkle(-0.4068, 124.4, 13.67).time(0.1219);
      LIPOSE lKnee(0.1071, 582.3, 25.72).time(0.05685), lAnkle(-0.09132, 292.3, 20.2).time(0.1715);
      VPD uTorso(0.07119, 409.3, 109.2).joint(lHip);
      COMFB2 0.005261 -0.4326 j lAnkle
      VPD rThigh(0.08762, -192.4, -15.52).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot and time 0.0303);
    TRANSITION to(2).after(time 0.3819);
  ENDPHASE
  PHASE 2  # the body stops
    ACTIONS
      LIPOSE rKnee(0.4438, 545.2, 25.06).time(0.2189), rAnkle(-0.3388, 307.9, 24.33).time(0.1958);
      LIPOSE lKnee(0.2821, 326.5, 28.6).time(0.206), lAnkle(0.03462, 86.27, 12.4).time(0.1946);
      VFFB uTorso(549.4, 432.7).by(rAnkle).over(part rFoot);
      VPD uTorso(0.2444, 453.9, 39.71).joint(rHip);
      VPD lThigh(-0.1934, -191.3, -14.67).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.4098);
  ENDPHASE
  PHASE 3  # the left foot follows
    ACTIONS
      LIPOSE rKnee(0.3596, 404.0, 33.42).time(0.3451), rAnkle(-0.212, 306.1, 32.13).time(0.157);
      LIPOSE lKnee(0.49, 345.7, 15.51).time(0.3103), lAnkle(-0.05651, 88.45, 10.22).time(0.2346);
      VFFB uTorso(1084, 463.4).by(rAnkle).over(part rFoot);
      VPD uTorso(0.1403, 387.9, 54.76).joint(rHip);
      VPD lThigh(-0.1541, -156.9, -13.55).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3112);
  ENDPHASE
  PHASE 4  # the left foot comes down beside it
    ACTIONS
      LIPOSE rHip(-0.2196, 617.7, 86.43).time(0.3755), rKnee(0.2113, 300.3, 46.82).time(0.6329),
          rShoulder(-0.06881, 42.87, 15.46).time(0.4948), rElbow(0.05409, 70.21, 14.7).time(0.3954);
      LIPOSE lShoulder(0.008838, 40.2, 9.152).time(0.3304), lElbow(-0.02343, 52.1, 14.48).time(0.398);
      MATCH lHip.to(rHip).time(0.3273), lKnee.to(rKnee).time(0.5115), lAnkle.to(rAnkle).time(0.314);
      VFFB uTorso(1317.0, 261.3).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.4775);
  ENDPHASE
  PHASE 5
    > stand.t(0.7394, 0.8707);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
