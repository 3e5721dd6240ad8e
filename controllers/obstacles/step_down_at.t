# One stair down from its edge, or from `further` (m) before it: the right foot lands just below it, the left one beside it.
SCRIPTS foot_beside.t;
BEGINSCRIPT step_down_at(further)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(-0.16, 80, 8).time(.4), lShoulder(0.39, 100, 12).time(.3);
      LIPOSE lHip(0, 600, 60).time(.3), lKnee(0.18, 600, 60).time(.3), lAnkle(-.08, 300, 45).time(.3);
      IK rFoot.target local(x(lFoot) + 0.04 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 * phase_time / 0.35 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.065, -60, -3.6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFFB uTorso(2358, 232.3).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.35);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.04 + (edge_distance(lArm) + x(lArm) + 0.24 - x(lFoot)) * phase_time / 0.7 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.03, -60, -3.6).joint(rAnkle);
      VF (0, 90, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.38, 600, 60).time(0.7);
      VPD uTorso(0.05, 330, 52).joint(lHip);
      VFSFB pelvis(356.3).by(lAnkle).speed(0.05 + 2 * further);
    ENDACTIONS
    TRANSITION to(2).after(time 0.7);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(rFoot) - 0.1342 * com_vx - x(pelvis) + 0.01498 * orientation(pelvis), 0.03474 + 0.1478 - 0.7333 * phase_time - 0.9802 + 0.2238 * orientation(lShin) * orientation(lShin) + 0.1187 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.1441, -65.9, -3.6).joint(rAnkle);
      VF (0, 41.71, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.5047 - 2.683 * edge_rise(lArm), 702, 54.1).time(0.5747),
          lAnkle(-0.1499 + 1.268 * edge_rise(lArm), 166.4, 14.47).time(0.4313);
      VPD uTorso(0.09312, 322, 23.97).joint(lHip);
      VFFB pelvis(548.1, 168.5).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(when load(rFoot) > 59.23);
    TRANSITION to(3).after(time 1.627);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.2489, 415, 44.47).joint(lHip);
      LIPOSE lAnkle(0.1689, 363.9, 50.3).time(0.4897);
      LIPOSE rKnee(0.2185, 71.72, 28.71).time(0.1792), rHip(-0.07973, 69.04, 11.24).time(0.5825),
          rAnkle(-0.3577, 52.32, 5.995).time(0.1641);
      LIPOSE bElbow(-.1, 60, 8).time(.6);
      VFSFB pelvis(619.7).by(lAnkle).speed(0.4339);
    ENDACTIONS
    TRANSITION to(4).after(when com_x > x(rFoot) - 0.3023 * com_vx);
    TRANSITION to(4).after(time 1.312);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # the left foot beside it
    > foot_beside(0.8495, -0.74, 2.184, 0.2792, -0.712, 1.027, 0, .3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
