# The end of stairs down: the left foot stands on the floor, the right one, about b (m) behind it and higher by rise (m), moves
# beside it.
SCRIPTS stand.t;
BEGINSCRIPT stairs_down_last(b, rise)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE bShoulder(0, 80, 8).time(.5), bElbow(-.3, 60, 8).time(.3);
      VPD uTorso(0.1 + 0.3 * (b - .3), 400, 40).joint(rHip);
      LIPOSE rAnkle(0.17, 360, 50).time(0.35), rKnee(0.95, 600, 60).time(.3);
      LIPOSE lKnee(0.22, 100, 28).time(0.18), lHip(-0.08, 70, 11).time(0.5), lAnkle(-0.2, 50, 6).time(0.16);
      VFSFB pelvis(600).by(rAnkle).speed(0.45 + 1 * (b - .3));
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .3 * com_vx > x(lFoot) - 0.01);
    TRANSITION to(1).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # the right foot follows
    ACTIONS
      VPD uTorso(0.06, 500, 50).joint(lHip);
      LIPOSE waist(0, 600, 60).time(.5), bShoulder(-.05, 80, 8).time(.4), bElbow(-.14, 60, 8).time(.5);
      LIPOSE lKnee(0.1, 700, 60).time(0.4), lAnkle(-.1, 40, 15).time(.4);
      IK rFoot.target local(x(lFoot) - b + 0.03 + (b + .05) * (phase_time - .03) / .38 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + .12 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(400).by(lAnkle).speed(-3 * (com_x - x(lFoot) + .02));
    ENDACTIONS
    TRANSITION to(2).after(time 0.43);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # down beside the left one
    ACTIONS
      VPD uTorso(0.06, 500, 50).joint(lHip);
      IK rFoot.target local(x(lFoot) + .04 - x(pelvis) + .056 * orientation(pelvis), .034 + .1 - .5 * phase_time + rise * (1 - 4 * phase_time) - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(400).by(lAnkle).speed(-3 * (com_x - x(lFoot) + .01));
    ENDACTIONS
    TRANSITION to(3).after(time 0.22 or when load(rFoot) > 50);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3
    ACTIONS
      MATCH rHip.to(lHip).time(0.25), rKnee.to(lKnee).time(0.25), rAnkle.to(lAnkle).time(0.25);
      VPD uTorso(0.05, 500, 50).joint(lHip);
      LIPOSE lKnee(.05, 600, 60).time(.4);
      VFSFB pelvis(400).by(lAnkle).speed(-3 * (com_x - x(lFoot) + .02));
    ENDACTIONS
    TRANSITION to(4).after(time 0.25 and contact rFoot);
    TRANSITION to(4).after(time 0.6);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4
    > stand(.3, .3);
    TRANSITION to(-1).after(time .8 or complete);
    TRANSITION to(-1).after(time .3 and when load(bFoot) > 100 and when com_vx < .06 and when com_vx > -.06 and when spin(uTorso) < .2 and when spin(uTorso) > -.2);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
