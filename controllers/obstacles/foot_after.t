# The body rises on the right foot behind a hurdle of the height h (m). The left foot is lifted over it and set down beside the
# right one. The script ends when the body is nearly at rest, after 2 s at most.
SCRIPTS stand.t;
BEGINSCRIPT foot_after(h)
  PHASE 0  # the left foot lifts off
    ACTIONS
      VPD uTorso(0.08, 500, 50).joint(rHip);
      LIPOSE waist(0, 600, 60).time(.4), rKnee(0.05, 800, 60).time(.5), rAnkle(-0.05, 150, 20).time(0.6);
      LIPOSE lHip(-.1, 400, 40).time(0.25), lKnee(2 + 2 * h, 400, 40).time(.3), lAnkle(-0.3, 200, 20).time(.25);
      LIPOSE bShoulder(-.05, 60, 8).time(.6);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # the left foot swings
    ACTIONS
      VPD uTorso(0.06, 500, 50).joint(rHip);
      LIPOSE lHip(-1.2, 400, 40).time(0.35), lKnee(1.9 + 2 * h, 400, 40).time(0.35);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # the left foot comes down beside the right one
    ACTIONS
      MATCH lHip.to(rHip).time(0.6), lKnee.to(rKnee).time(0.6), lAnkle.to(rAnkle).time(0.6);
      LIPOSE rKnee(.05, 600, 60).time(.4), waist(0, 600, 60).time(.4);
      LIPOSE rHip(0, 600, 60).time(.4);
      VFFB uTorso(2200, 280).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3
    > stand(.3, .3);
    TRANSITION to(-1).after(time .3 and when load(bFoot) > 100 and when com_vx < .06 and when com_vx > -.06 and when spin(uTorso) < .2 and when spin(uTorso) > -.2);
    TRANSITION to(-1).after(time 2 or complete);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
