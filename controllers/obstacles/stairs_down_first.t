# From a stand before the first edge, the right foot to d (m) in front of the left one, on the first tread, lower by drop (m).
BEGINSCRIPT stairs_down_first(d, drop)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.2, 80, 8).time(.5), lShoulder(-0.3, 80, 8).time(.5), bElbow(-.3, 60, 8).time(.3);
      LIPOSE lHip(0, 600, 60).time(.25), lKnee(.15, 600, 60).time(.25), lAnkle(-.08, 100, 25).time(.25);
      IK rFoot.target local(x(lFoot) + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.08 * phase_time / .22 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(300).by(lAnkle).speed(.05 - 3 * (com_x - x(lFoot) - .0));
    ENDACTIONS
    TRANSITION to(1).after(time .22);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.03 + d * phase_time / .4 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.08 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(.3, 600, 50).time(.4);
      VPD uTorso(0.06, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(.15 - 3 * (com_x - x(lFoot) - .0 - .15 * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time .4);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # down onto the tread
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 + .09 - .7 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.25, -60, -6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.5 + 4.2 * drop, 600, 50).time(0.35);
      POSE lAnkle(-0.2, 60, 20);
      VPD uTorso(0.07, 400, 40).joint(lHip);
      VFSFB pelvis(400).by(lAnkle).speed(0.15 + 1 * (d - .335) - 4 * (com_x - x(lFoot) - .04 - .2 * (d - .335) - .25 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50 and when x(rFoot) > x(lFoot) + d - .1);
    TRANSITION to(-1).after(time .9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
