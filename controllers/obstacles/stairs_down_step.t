# A slow step down stairs: the left foot stands in front, the right one, about b (m) behind it and higher by rise (m), moves to
# d (m) in front of it, lower by drop (m).
BEGINSCRIPT stairs_down_step(b, d, rise, drop)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.05, 80, 8).time(.4), lShoulder(-0.05, 80, 8).time(.4), bElbow(-.3, 60, 8).time(.3);
      VPD uTorso(0.1 + 0.3 * (b - .3), 400, 40).joint(rHip);
      LIPOSE rAnkle(0.17, 360, 50).time(0.35), rKnee(0.95, 600, 60).time(.3);
      LIPOSE lKnee(0.22, 100, 28).time(0.18), lHip(-0.08, 70, 11).time(0.5), lAnkle(-0.2, 50, 6).time(0.16);
      VFSFB pelvis(600).by(rAnkle).speed(0.45 + 1 * (b - .3));
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .3 * com_vx > x(lFoot) - 0.01);
    TRANSITION to(1).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # the right foot passes the left one
    ACTIONS
      VPD uTorso(0.07, 450, 45).joint(lHip);
      LIPOSE rShoulder(0.2, 80, 8).time(.5), lShoulder(-0.3, 80, 8).time(.5);
      LIPOSE lKnee(0.2 + 0.8 * drop, 600, 50).time(0.42), lAnkle(-.15, 60, 20).time(.4);
      IK rFoot.target local(x(lFoot) - b + 0.03 + (b + d) * (phase_time - .04) / .4 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + .12 - (rise + .02) * 5.7 * phase_time * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-.05, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(400).by(lAnkle).speed(0.15 + .3 * (d - .3) - 4 * (com_x - x(lFoot) + .05 - (.2 + .3 * (d - .3)) * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time 0.42);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # down onto the tread
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 + .09 - .7 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.25, -60, -6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.5 + 4.2 * drop, 600, 50).time(0.35);
      VPD uTorso(0.07, 400, 40).joint(lHip);
      VFSFB pelvis(400).by(lAnkle).speed(0.15 + 1 * (d - .3) - 4 * (com_x - x(lFoot) - .03 - .2 * (d - .3) - .25 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50 and when x(rFoot) > x(lFoot) + d - .1);
    TRANSITION to(-1).after(time .9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
