# From the walk backward to a stand: the right foot set down farther behind, the body stopped over it, the left foot beside it.
BEGINSCRIPT walk_back_to_stop(void)
  PHASE 0  # the right foot off and back
    ACTIONS
      LIPOSE rKnee(0.9979, 229, 15).time(0.06508), rAnkle(-0.2903, 96.35, 11.45).time(0.04455);
      LIPOSE lKnee(0.1268, 677.3, 30.46).time(0.1625), lAnkle(0.03947, 482.6, 14.8).time(0.1298);
      LIPOSE bShoulder(-0.2945, 11.89, 4.27).time(0.2057), bElbow(-0.3108, 32.42, 4.812).time(0.2812);
      VPD uTorso(0.007532, 504.7, 33.12).joint(lHip);
      COMFB2 -0.3506 -0.4134 j lAnkle
      VPD rThigh(0.07103, -176.3, -26.54).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2096);
  ENDPHASE
  PHASE 1  # down behind
    ACTIONS
      LIPOSE rKnee(0.3602, 219.4, 20.53).time(0.1185), rAnkle(-0.4511, 129.6, 12.67).time(0.1077);
      LIPOSE lKnee(0.1332, 721.1, 23.53).time(0.05587), lAnkle(0.003131, 319.1, 17.4).time(0.1644);
      VPD uTorso(0.0225, 448.5, 106.1).joint(lHip);
      COMFB2 0.0229 -0.4277 j lAnkle
      VPD rThigh(0.05264, -190.9, -16.4).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot and time 0.02933);
    TRANSITION to(2).after(time 0.4739);  # fix
  ENDPHASE
  PHASE 2  # the body stops
    ACTIONS
      LIPOSE rKnee(0.5451, 538.4, 25.4).time(0.1969), rAnkle(-0.2521, 312.6, 25.58).time(0.2191);
      LIPOSE lKnee(0.2756, 273, 30.49).time(0.2262), lAnkle(0.08484, 95.11, 13.11).time(0.1944);
      VFFB uTorso(575.4, 524.9).by(rAnkle).over(part rFoot);
      VPD uTorso(0.1094, 404.1, 43.82).joint(rHip);
      VPD lThigh(-0.2761, -184.6, -14.52).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time 0.4312);
  ENDPHASE
  PHASE 3  # the left foot follows
    ACTIONS
      LIPOSE rKnee(0.3305, 416, 33.12).time(0.3135), rAnkle(-0.1402, 294.7, 31.36).time(0.1554);
      LIPOSE lKnee(0.5237, 361.7, 18.15).time(0.2645), lAnkle(-0.05157, 91.16, 10.96).time(0.2435);
      VFFB uTorso(1084, 441.7).by(rAnkle).over(part rFoot);
      VPD uTorso(0.05431, 407.3, 52.68).joint(rHip);
      VPD lThigh(-0.1961, -179, -14.12).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3188);
  ENDPHASE
  PHASE 4  # beside it
    ACTIONS
      LIPOSE rHip(-0.1076, 662.7, 77.26).time(0.317), rKnee(0.2457, 322.2, 46.98).time(0.5864),
          rShoulder(0.08234, 44.88, 15.52).time(0.4756), rElbow(0.06157, 76.75, 13.4).time(0.4226);
      LIPOSE lShoulder(0.08564, 35.19, 9.428).time(0.3104), lElbow(0.02928, 51.06, 14.61).time(0.4538);
      MATCH lHip.to(rHip).time(0.3045), lKnee.to(rKnee).time(0.4638), lAnkle.to(rAnkle).time(0.3058);
      VFFB uTorso(1382, 263.7).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.4714);
  ENDPHASE
  PHASE 5
    > stand.t(.8, .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
