# A slow step up stairs: the left foot stands in front, the right one, about b (m) behind it and lower, moves to d (m) in front of
# it, higher by rise (m).
BEGINSCRIPT stairs_up_step(b, d, rise)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.1, 80, 8).time(.4), lShoulder(-0.1, 80, 8).time(.4), bElbow(-.3, 60, 8).time(.3);
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
      LIPOSE rShoulder(0.25, 80, 8).time(.5), lShoulder(-0.35, 80, 8).time(.5);
      LIPOSE lKnee(0.1, 800, 60).time(0.5), lAnkle(-.1, 40, 15).time(.4);
      IK rFoot.target local(x(lFoot) - b + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 - rise + (rise + .08) * phase_time / .25 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.3, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(400).by(lAnkle).speed(0.25 - 3 * (com_x - x(lFoot) + .08 + .1 * (b - .3) - .3 * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time 0.25);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # past the left foot
    ACTIONS
      VPD uTorso(0.08, 450, 45).joint(lHip);
      IK rFoot.target local(x(lFoot) - b + 0.03 + (b + d) * phase_time / .4 - x(pelvis) + .056 * orientation(pelvis), .034 + .08 + (rise - .02) * phase_time / .4 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(400).by(lAnkle).speed(0.2 + .5 * (d - .3) - 3 * (com_x - x(lFoot) - (.2 + .3 * (d - .3)) * phase_time));
    ENDACTIONS
    TRANSITION to(3).after(time 0.4);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # set it down
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.06 - 0.5 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      VPD uTorso(0.08, 400, 40).joint(lHip);
      VFSFB pelvis(400).by(lAnkle).speed(0.35 + 1 * (d - .3) - 2 * (com_x - x(lFoot) - .1 - .3 * (d - .3) - .3 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50);
    TRANSITION to(-1).after(time .9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
