# A slow step up stairs: the left foot stands in front, the right one, about b (m) behind it and lower, moves to d (m) in front of
# it, higher by rise (m).
BEGINSCRIPT stairs_up_step(b, d, rise)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.1, 80, 8).time(.4), lShoulder(-0.1, 80, 8).time(.4), bElbow(-.3, 60, 8).time(.3);
      VPD uTorso(0.1871 + 1.089 * (b - .3), 424.2, 40).joint(lHip);
      LIPOSE rAnkle(0.6291 + 1.347 * (rise - 0.1364), 500, 40).time(0.3), rKnee(0.04323, 600, 60).time(0.1802), rHip(0.3769, 300, 40).time(0.3);
      POSE lKnee(0.8021 + 4.784 * (rise - 0.08195), 122.4, 15), lAnkle(-0.2912, 40, 5);
      VF (47.58 + 173.9 * (b - .3), 0, 0).on(pelvis).by(rAnkle);
      VFSFB pelvis(228).by(rAnkle).speed(0.5989 + 2.065 * (b - .3));
      VFSFB pelvis(113.1).by(lAnkle).speed(0.4897 + 1.739 * (b - .3));
    ENDACTIONS
    TRANSITION to(1).after(when com_x + 0.2345 * com_vx > x(lFoot) - 0.003091 + 0.02636 * (b - .3));
    TRANSITION to(1).after(time 0.8998);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # rise on the left foot, lift the right one
    ACTIONS
      VPD uTorso(0.09592, 563, 50).joint(lHip);
      LIPOSE rShoulder(0.25, 80, 8).time(.5), lShoulder(-0.35, 80, 8).time(.5);
      LIPOSE lKnee(0.07535, 735, 60).time(0.5462), lAnkle(-0.09704, 40, 15).time(0.394);
      IK rFoot.target local(x(lFoot) - b + 0.0156 - x(pelvis) + .056 * orientation(pelvis), .034 - rise + (rise + 0.0512) * phase_time / 0.2328 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.2867, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(372.8).by(lAnkle).speed(0.2203 - 3.197 * (com_x - x(lFoot) + 0.09183 + 0.08257 * (b - .3) - .3 * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time 0.2631);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # past the left foot
    ACTIONS
      VPD uTorso(0.07049, 605, 45).joint(lHip);
      IK rFoot.target local(x(lFoot) - b + 0.1224 + (b + d) * phase_time / 0.5283 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.09761 + (rise + 0.004527) * phase_time / 0.2446 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(417.6).by(lAnkle).speed(0.2002 + 0.4247 * (d - .3) - 1.869 * (com_x - x(lFoot) - (0.1533 + .3 * (d - .3)) * phase_time));
    ENDACTIONS
    TRANSITION to(3).after(time 0.391);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # set it down
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.0418 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.06648 - 0.6105 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      VPD uTorso(0.1051, 275.6, 40).joint(lHip);
      VFSFB pelvis(335.5).by(lAnkle).speed(0.3234 + 1 * (d - .3) - 1.824 * (com_x - x(lFoot) - 0.0919 - .3 * (d - .3) - .3 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50);
    TRANSITION to(-1).after(time 0.9038);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
