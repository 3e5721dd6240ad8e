# The body rises on the right foot within t (s). The left foot is lifted with the angles lift_hip and lift_knee (rad, knee
# within u, s), swung forward with swing_hip and swing_knee, and set down beside the right one. At the end the right hip holds
# its own angle (upright = 0, after a long step) or the trunk (upright = 1). The stand at the end lasts at
# most 0.8 s; it ends after rest (s) if the body is nearly at rest on both feet.
SCRIPTS stand.t;
BEGINSCRIPT foot_beside(t, lift_hip, lift_knee, u, swing_hip, swing_knee, upright, rest)
  PHASE 0  # the left foot lifts off
    ACTIONS
      VPD uTorso(0.08, 500, 50).joint(rHip);
      LIPOSE waist(0, 600, 60).time(.4), rKnee(0.05, 800, 60).time(t), rAnkle(-0.05, 150, 20).time(0.5);
      LIPOSE lHip(lift_hip, 400, 40).time(0.25), lKnee(lift_knee, 400, 40).time(u), lAnkle(-0.3, 200, 20).time(.25);
      LIPOSE bShoulder(-.05, 60, 8).time(.6);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.25);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # the left foot swings
    ACTIONS
      VPD uTorso(0.06, 500, 50).joint(rHip);
      LIPOSE lHip(swing_hip, 400, 40).time(0.35), lKnee(swing_knee, 400, 40).time(0.35);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # the left foot comes down beside the right one
    ACTIONS
      MATCH lHip.to(rHip).time(0.5), lKnee.to(rKnee).time(0.5), lAnkle.to(rAnkle).time(0.5);
      VPD uTorso(0.05, 500 * upright, 50 * upright).joint(rHip);
      LIPOSE rKnee(.05, 600, 60).time(.4), waist(0, 600, 60).time(.4);
      LIPOSE rHip(0, 600 - 600 * upright, 60 - 60 * upright).time(.4);
      VFFB uTorso(2200 - 700 * upright, 280).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.8);
    TRANSITION to(3).after(time rest + .4);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3
    > stand(.3, .3);
    TRANSITION to(-1).after(time .8 or complete);
    TRANSITION to(-1).after(time rest and when load(bFoot) > 100 and when com_vx < .06 and when com_vx > -.06 and when spin(uTorso) < .2 and when spin(uTorso) > -.2);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
