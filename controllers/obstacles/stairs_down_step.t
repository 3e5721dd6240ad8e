# A slow step down stairs: the left foot stands in front, the right one, about b (m) behind it and higher by rise (m), moves to
# d (m) in front of it, lower by drop (m).
BEGINSCRIPT stairs_down_step(b, d, rise, drop)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.05, 80, 8).time(.4), lShoulder(-0.05, 80, 8).time(.4), bElbow(-.3, 60, 8).time(.3);
      VPD uTorso(0.1269 + 0.3 * (b - .3), 341.7, 40).joint(rHip);
      LIPOSE rAnkle(0.2122, 360, 50).time(0.3603), rKnee(0.9189, 600, 60).time(.3);
      LIPOSE lKnee(0.2247, 98.83, 28).time(0.1712), lHip(-0.02801, 70, 11).time(0.465), lAnkle(-0.1792, 50, 6).time(0.1488);
      VFSFB pelvis(710.1).by(rAnkle).speed(0.5 + 1 * (b - .3));
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .3 * com_vx > x(lFoot));
    TRANSITION to(1).after(time 0.7532);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # the right foot passes the left one
    ACTIONS
      VPD uTorso(0.04459, 457.3, 45).joint(lHip);
      LIPOSE rShoulder(0.2, 80, 8).time(.5), lShoulder(-0.3, 80, 8).time(.5);
      LIPOSE lKnee(0.2716 + 0.7275 * drop, 594.5, 50).time(0.4424), lAnkle(-0.1327, 60, 20).time(0.3888);
      IK rFoot.target local(x(lFoot) - b - 0.0008631 + (b + d) * (phase_time + 0.01758) / 0.32 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.102 - (rise + 0.02161) * 5.617 * phase_time * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.06969, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(307.1).by(lAnkle).speed(0.1149 + .3 * (d - .3) - 3.381 * (com_x - x(lFoot) + 0.04824 - (0.26 + .3 * (d - .3)) * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time 0.37);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # down onto the tread
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.03771 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.06663 - 0.7 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.2081, -40, -3).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.5457 + 4.124 * drop, 558.5, 50).time(0.3257);
      VPD uTorso(0.08017, 372.2, 40).joint(lHip);
      VFSFB pelvis(431.9).by(lAnkle).speed(0.18 + 1 * (d - .3) - 4.334 * (com_x - x(lFoot) - 0.06978 - 0.1873 * (d - .3) - 0.2754 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50 and when x(rFoot) > x(lFoot) + d - 0.1182);
    TRANSITION to(-1).after(time 0.9128);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
