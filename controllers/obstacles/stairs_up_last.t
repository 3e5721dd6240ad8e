# The end of stairs up: the left foot stands on the last tread, the right one, about b (m) behind it and lower by rise (m), moves
# beside it.
SCRIPTS stand.t;
BEGINSCRIPT stairs_up_last(b, rise)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE bShoulder(0, 80, 8).time(.5), bElbow(-.2, 60, 8).time(.3);
      VPD uTorso(0.14 + 0.8 * (b - .3), 400, 40).joint(lHip);
      LIPOSE rAnkle(0.55 + 2 * (rise - .14), 500, 40).time(0.3), rKnee(0.05, 600, 60).time(0.2), rHip(0.25, 300, 40).time(0.3);
      POSE lKnee(0.75 + 3.5 * (rise - .14), 150, 15), lAnkle(-0.3, 40, 5);
      VF (60 + 200 * (b - .3), 0, 0).on(pelvis).by(rAnkle);
      VFSFB pelvis(300).by(rAnkle).speed(0.5 + 1.5 * (b - .3));
      VFSFB pelvis(100).by(lAnkle).speed(0.5 + 1.5 * (b - .3));
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .28 * com_vx > x(lFoot) - 0.01 + 0.1 * (b - .3));
    TRANSITION to(1).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # rise on the left foot, lift the right one
    ACTIONS
      VPD uTorso(0.1, 500, 50).joint(lHip);
      LIPOSE waist(0, 600, 60).time(.5), bShoulder(-.05, 80, 8).time(.4), bElbow(-.1, 60, 8).time(.5);
      LIPOSE lKnee(0.1, 800, 60).time(0.5), lAnkle(-.1, 40, 15).time(.4);
      IK rFoot.target local(x(lFoot) - b + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 - rise + (rise + .06) * phase_time / .3 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.3, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(400).by(lAnkle).speed(-3 * (com_x - x(lFoot) + .02));
    ENDACTIONS
    TRANSITION to(2).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # beside the left foot
    ACTIONS
      VPD uTorso(0.06, 450, 45).joint(lHip);
      IK rFoot.target local(x(lFoot) - b + 0.03 + b * phase_time / .3 - x(pelvis) + .056 * orientation(pelvis), .034 + .06 - .04 * phase_time / .3 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(400).by(lAnkle).speed(-3 * (com_x - x(lFoot) + .01));
    ENDACTIONS
    TRANSITION to(3).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # it comes down
    ACTIONS
      MATCH rHip.to(lHip).time(0.35), rKnee.to(lKnee).time(0.35), rAnkle.to(lAnkle).time(0.35);
      VPD uTorso(0.05, 500, 50).joint(lHip);
      LIPOSE lKnee(.05, 600, 60).time(.4);
      VFSFB pelvis(400).by(lAnkle).speed(-3 * (com_x - x(lFoot) + .02));
    ENDACTIONS
    TRANSITION to(4).after(time 0.35 and contact rFoot);
    TRANSITION to(4).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4
    > stand(.3, .3);
    TRANSITION to(-1).after(time .8 or complete);
    TRANSITION to(-1).after(time .3 and when load(bFoot) > 100 and when com_vx < .06 and when com_vx > -.06 and when spin(uTorso) < .2 and when spin(uTorso) > -.2);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
