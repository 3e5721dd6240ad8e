# A step of d (m, at least 0.05) with the right foot, the left one beside it.
SCRIPTS foot_forward.t, foot_beside.t;
BEGINSCRIPT short_step(d)
  PHASE 0
    > foot_forward(d, 0, 0.35 * d + 0.6 * slope(com_x), 0.05 + 0.55 * d + 0.6 * slope(com_x), 0.5);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.12, 400, 40).joint(rHip);
      LIPOSE lAnkle(0.1 + 1 * d, 500, 40).time(0.35), lKnee(0.05, 600, 60).time(0.25), lHip(0.25, 300, 40).time(0.4);
      POSE rKnee(0.4, 150, 15), rAnkle(-0.3, 40, 5);
      VF (100 * d, 0, 0).on(pelvis).by(lAnkle);
      VFSFB pelvis(300).by(lAnkle).speed(0.12 + 0.75 * d + slope(com_x));
    ENDACTIONS
    TRANSITION to(2).after(when com_x > x(rFoot) - 0.16);
    TRANSITION to(2).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2
    > foot_beside(.5, .1, 1, .3, -.45, .9, 1, 1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
