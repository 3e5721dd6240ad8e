# A step of an approach: the right foot moves from b (m) behind the left one to d in front of it, and the body over it. With
# b = 0 it begins in a stand.
BEGINSCRIPT approach_step(b, d)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.15, 80, 8).time(.4), lShoulder(-0.35, 80, 8).time(.4);
      LIPOSE lKnee(.05, 600, 60).time(.2), lAnkle(-.03, 300, 45).time(.2);
      IK rFoot.target local(x(lFoot) + 0.02 - b + b * phase_time / 0.3 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 * phase_time / 0.15 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.1, -30, -2).joint(rAnkle);
      VPD uTorso(0.05, 400, 40).joint(lHip);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.7 * b);
    ENDACTIONS
    TRANSITION to(1).after(time 0.15);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # swing it forward
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.02 - b / 2 + (d + b / 2) * phase_time / 0.3 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.05, -30, -2).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VPD uTorso(0.05, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.9 * d);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.02 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07 - 0.6 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -30, -2).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lAnkle(-0.12, 150, 20).time(.4);
      VPD uTorso(0.08, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.1 + d);
    ENDACTIONS
    TRANSITION to(3).after(when load(rFoot) > 50);
    TRANSITION to(3).after(time .9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.1, 400, 40).joint(rHip);
      LIPOSE lAnkle(0.1 + 1 * d, 500, 40).time(0.35), lKnee(0.05, 600, 60).time(0.25), lHip(0.25, 300, 40).time(0.4);
      POSE rKnee(0.2, 300, 30), rAnkle(-0.15, 60, 8);
      VF (100 * d, 0, 0).on(pelvis).by(lAnkle);
      VFSFB pelvis(300).by(lAnkle).speed(0.15 + 1 * d);
    ENDACTIONS
    TRANSITION to(-1).after(when com_x > x(rFoot) - 0.14);
    TRANSITION to(-1).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
