# One stair up: the middle of the right foot lands about m (m) behind the edge, the left foot beside it.
SCRIPTS foot_forward.t, foot_beside.t;
BEGINSCRIPT step_up_at(m)
  PHASE 0
    > foot_forward(edge_distance(lFoot) + .11 + m, edge_rise(lFoot) + .01, 0.12,
        0.28 + 0.3 * (edge_distance(lFoot) - .12), 0.35);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.12, 400, 40).joint(rHip);
      LIPOSE lAnkle(0.55 + 2 * (edge_rise(lFoot) - .12), 500, 40).time(0.35), lKnee(0.05, 600, 60).time(0.25),
          lHip(0.25, 300, 40).time(0.4);
      POSE rKnee(0.75 + 3.5 * (edge_rise(lFoot) - .14), 150, 15), rAnkle(-0.3, 40, 5);
      VF (60, 0, 0).on(pelvis).by(lAnkle);
      VFSFB pelvis(300).by(lAnkle).speed(0.52 + 0.3 * (edge_distance(lFoot) - .12) + 2 * (edge_rise(lFoot) - .12));
    ENDACTIONS
    TRANSITION to(2).after(when com_x > x(rFoot) - 0.16);
    TRANSITION to(2).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2
    > foot_beside(.65, .1, 1.7, .3, -.75, 1.5, 0, .3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
