# When pushed from behind, or after leaning out of balance: one quick step forward stops the fall, and the other foot moves
# beside it.
BEGINSCRIPT catch_step_forward(void)
  PHASE 0  # upright, waiting; without a push, a lean starts the fall
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(-0.1004, 329.4, 51.9),
          lTorso2uTorso(0.02627, 613.3, 40.25);
      LIPOSE bAnkle(0, 211.9, 33.02).time(0.6254), bHip(0.01111, 572.1, 45.67).time(0.2005),
          bKnee(0.2213, 438.2, 34.88).time(0.1599);
      VFSFB uTorso(300).by(bAnkle).speed(0.15);
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .32 * com_vx > x(lFoot) + .13);
    TRANSITION to(fail).after(time 1.966);
  ENDPHASE
  PHASE 1  # lift the right foot and move it forward
    ACTIONS
      LIPOSE rKnee(0.8011, 305.3, 21.02).time(0.03246), rAnkle(-0.2438, 98.27, 8.372).time(0.09475);
      LIPOSE lAnkle(0.09936, 296.1, 25.42).time(0.15), lKnee(0.183, 568, 39.68).time(0.07028);
      LIPOSE bShoulder(-0.4717, 56.66, 5.445).time(0.248), bElbow(-0.4518, 75.71, 5.474).time(0.2512);
      VPD uTorso(0.066, 454.2, 65.3).joint(lHip);
      COMFB2 -0.04717 -0.1874 j lAnkle
      VPD rThigh(-0.5666, -205.9, -21.7).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.1985);
  ENDPHASE
  PHASE 2  # put it down ahead
    ACTIONS
      LIPOSE rKnee(0.1258, 236.7, 13.91).time(0.09783), rAnkle(0.2461, 179.1, 7.219).time(0.07061);
      LIPOSE lAnkle(0.1011, 247.6, 18.74).time(0.3251), lKnee(0.09933, 413.9, 48.27).time(0.267);
      VPD uTorso(0.0234, 514.7, 61.32).joint(lHip);
      COMFB2 -0.2158 -0.2548 j lAnkle
      VPD rThigh(-0.3898, -212.1, -26.68).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot and time 0.05718);
    TRANSITION to(3).after(time 0.05718);
  ENDPHASE
  PHASE 3  # over the right foot, the left one follows
    ACTIONS
      LIPOSE rKnee(0.1976, 406, 32.11).time(0.1441), rAnkle(-0.2913, 313.5, 39.68).time(0.161);
      LIPOSE lKnee(0.9993, 315.4, 19.43).time(0.1441), lAnkle(-0.2913, 49.29, 12.49).time(0.3144);
      VFFB uTorso(835.2, 428.2).by(rAnkle).over(part rFoot);
      VPD uTorso(-0.07093, 318.3, 47.17).joint(rHip);
      VPD lThigh(-0.4236, -137.1, -18.19).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3);
  ENDPHASE
  PHASE 4  # the left foot comes down beside it
    ACTIONS
      LIPOSE rHip(-0.0821, 881.6, 79.43).time(0.2748), rKnee(0.1467, 480, 62.68).time(0.531),
          rShoulder(-0.02244, 25.91, 8.808).time(0.5121), rElbow(0.05, 51.74, 7.734).time(0.5045);
      LIPOSE lShoulder(-0.02244, 25.91, 8.808).time(0.5121), lElbow(0.05, 51.74, 7.734).time(0.5045);
      MATCH lHip.to(rHip).time(0.25), lKnee.to(rKnee).time(0.25), lAnkle.to(rAnkle).time(0.25);
      VFFB uTorso(754.9, 385.7).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.5453);
  ENDPHASE
  PHASE 5
    > stand.t(.8, .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
