# A long step of about d (m) with the right foot; the left one follows and lands some 0.1 m further.
# The limit of the pushing ankle is what remains of an athlete's at 0.85 of the strength: the push-off is then the same.
SCRIPTS foot_forward.t, foot_beside.t;
SET TORQUELIMIT lAnkle = 195
BEGINSCRIPT long_step(d)
  PHASE 0
    > foot_forward(d, 0, 0.35 * d, 0.05 + 0.55 * d, 0.35);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.12, 400, 40).joint(rHip);
      LIPOSE lAnkle(0.1 + 1 * (x(rFoot) - x(lFoot) - .08), 500, 40).time(0.35), lKnee(0.05, 600, 60).time(0.25),
          lHip(0.25, 300, 40).time(0.4);
      POSE rKnee(0.4, 400, 30), rAnkle(-0.3, 40, 5);
      VF (100 * (x(rFoot) - x(lFoot) - .08), 0, 0).on(pelvis).by(lAnkle);
      VFSFB pelvis(300).by(lAnkle).speed(0.12 + 0.75 * (x(rFoot) - x(lFoot) - .08));
    ENDACTIONS
    TRANSITION to(2).after(when com_x > x(rFoot) - 0.25);
    TRANSITION to(2).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2
    > foot_beside(.5, .1, 1.35, .22, -.45, .9, 0, .3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
