# One step down from the edge of a high box: the left knee bends until the right foot lands, the left foot lands beside it.
SCRIPTS foot_beside.t;
BEGINSCRIPT step_down_deep_at(void)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(-0.16, 80, 8).time(.4), lShoulder(0.39, 100, 12).time(.3);
      LIPOSE lHip(0, 600, 60).time(.3), lKnee(0.18, 600, 60).time(.3), lAnkle(-.08, 300, 45).time(.3);
      IK rFoot.target local(x(lFoot) + 0.04 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 * phase_time / 0.35 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.065, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFFB uTorso(2358, 232.3).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.35);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.04 + (edge_distance(lArm) + x(lArm) + 0.25 - x(lFoot)) * phase_time / 0.7 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.03, -60, -6).joint(rAnkle);
      VF (0, 90, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.38, 600, 60).time(0.7);
      VPD uTorso(0.05, 330, 52).joint(lHip);
      VFSFB pelvis(356.3).by(lAnkle).speed(0.1);
    ENDACTIONS
    TRANSITION to(2).after(time 0.7);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(rFoot) - 0.05 * com_vx - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 - 0.9 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.15, -60, -6).joint(rAnkle);
      VF (0, 50, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.77 - 2.5 * edge_rise(lArm), 500, 60).time(0.7), lAnkle(-0.22 + 1.3 * edge_rise(lArm), 185, 20).time(0.7);
      VPD uTorso(0.2, 406, 40).joint(lHip);
      VFSFB pelvis(500).by(lAnkle).speed(0.05);
    ENDACTIONS
    TRANSITION to(3).after(when load(rFoot) > 50);
    TRANSITION to(3).after(time 1.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.08, 400, 47).joint(lHip);
      LIPOSE lAnkle(0.2, 300, 40).time(0.5);
      LIPOSE rKnee(0.35, 82, 34).time(.2), rHip(-0.06, 60, 15).time(.5),
          rAnkle(-0.21, 62, 8).time(.2);
      VFSFB pelvis(677).by(lAnkle).speed(0.7);
    ENDACTIONS
    TRANSITION to(4).after(when com_x > x(rFoot) - 0.2 * com_vx);
    TRANSITION to(4).after(time 1);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # the left foot beside it
    > foot_beside(.6, -.6, 1.9, .25, -.9, 1.5, 0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
