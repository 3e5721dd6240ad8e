# Everything that is odd about how controllers are printed in the literature, in one script of our own.
#No space before this comment, and none is needed.
SCRIPTS peculiar_step.s, peculiar_step.t;
SET TORQUELIMIT = 0450
BEGINSCRIPT LOUDNAME(dt)   # a name that is not the file's
  PHASE 0 #a comment behind a phase
    TRANSITION to(1).after(time dt);
    ACTIONS
      POSE rElbow(-0., 0050., 030), lElbow(-.0, 050., 30.),
          rShoudler(-01.25), lShoudler(-1.250);
      POSE rWrist(-0, 5, 3);
      POSEFB rAnkle(1.5 -.25).on(part lFoot);
      COMFB2 -0.1 .2 j rAnkle
      VPD rThigh(- 0.3, -300., -30).joint(rHip).flags(s);
      VPD uTorso(0.0, 300, 30.).joint(lHip);
      VF (0., 0120., 0).on(rFoot).by(rHip);
      VSFSB uTorso(00100).by(rAnkle).speed(01.);
    ENDACTIONS
  ENDPHASE
  # a comment between two phases
  PHASE 1
    > peculiar_step.t(.5);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
