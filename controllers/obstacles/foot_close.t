# The left foot is lifted and set down beside the right one. The script ends when the body is nearly at rest, settle to 0.8 s
# later.
SCRIPTS stand.t;
BEGINSCRIPT foot_close(settle)
  PHASE 0  # the left foot lifts off
    ACTIONS
      VPD uTorso(0.08, 500, 50).joint(rHip);
      LIPOSE waist(0, 600, 60).time(.4), rKnee(0.05, 800, 60).time(.5), rAnkle(-0.05, 150, 20).time(0.5);
      LIPOSE lHip(.1, 400, 40).time(0.25), lKnee(1, 400, 40).time(.3), lAnkle(-0.3, 200, 20).time(.25);
      LIPOSE bShoulder(-.05, 60, 8).time(.6);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # the left foot swings
    ACTIONS
      VPD uTorso(0.06, 500, 50).joint(rHip);
      LIPOSE lHip(-.45, 400, 40).time(0.3), lKnee(.9, 400, 40).time(0.3);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # the left foot comes down beside the right one
    ACTIONS
      MATCH lHip.to(rHip).time(0.35), lKnee.to(rKnee).time(0.35), lAnkle.to(rAnkle).time(0.35);
      VPD uTorso(0.05, 500, 50).joint(rHip);
      LIPOSE rKnee(.05, 600, 60).time(.4), waist(0, 600, 60).time(.4);
      VFFB uTorso(1500, 280).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.35 and contact lFoot);
    TRANSITION to(3).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3
    > stand(.3, .3);
    TRANSITION to(-1).after(time settle and when com_vx < .07 and when com_vx > -.07);
    TRANSITION to(-1).after(time .8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
