# Over a hurdle: steps to it if it is further away, one foot over it, the other beside it.
SCRIPTS approach.t, foot_over.t, foot_after.t;
BEGINSCRIPT step_over_hurdle(void)
  PHASE 0
    TRANSITION to(1).after(when edge_distance(lFoot) > .24);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 1
    > approach(.08, .1);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 3
    > foot_over(edge_distance(lFoot) + .42, edge_rise(lFoot));
    TRANSITION to(4).after(complete);
  ENDPHASE
  PHASE 4  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.12, 400, 40).joint(rHip);
      LIPOSE lAnkle(0.1 + 1 * (x(rFoot) - x(lFoot) - .08), 500, 40).time(0.35), lKnee(0.05, 600, 60).time(0.25),
          lHip(0.25, 300, 40).time(0.4);
      POSE rKnee(0.4, 400, 30), rAnkle(-0.3, 40, 5);
      VF (100 * (x(rFoot) - x(lFoot) - .08), 0, 0).on(pelvis).by(lAnkle);
      VFSFB pelvis(300).by(lAnkle).speed(0.12 + 0.75 * (x(rFoot) - x(lFoot) - .08));
    ENDACTIONS
    TRANSITION to(5).after(when com_x > x(rFoot) - 0.2);
    TRANSITION to(5).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 5
    > foot_after(edge_rise(lFoot));
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
