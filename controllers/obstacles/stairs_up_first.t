# From a stand, the right foot to d (m) in front of the left one, on the first tread, higher by rise (m).
BEGINSCRIPT stairs_up_first(d, rise)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.25, 80, 8).time(.5), lShoulder(-0.35, 80, 8).time(.5), bElbow(-.3, 60, 8).time(.3);
      LIPOSE lHip(0, 600, 60).time(.25), lKnee(.05, 600, 60).time(.25), lAnkle(-.03, 100, 25).time(.25);
      IK rFoot.target local(x(lFoot) + 0.02 - x(pelvis) + .056 * orientation(pelvis), .034 + (rise + 0.05) * phase_time / .25 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.1, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(300).by(lAnkle).speed(.1 - 3 * (com_x - x(lFoot) - .02));
    ENDACTIONS
    TRANSITION to(1).after(time .25);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # swing it forward
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.02 + (d + 0.01) * phase_time / 0.35 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.05 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VPD uTorso(0.08, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(.15 + .5 * (d - .4) - 3 * (com_x - x(lFoot) - .02 - (.2 + .4 * (d - .4)) * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time 0.35);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.05 - 0.4 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      POSE lAnkle(-0.1, 40, 15);
      VPD uTorso(0.08, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(.4 + 1 * (d - .4) - 2 * (com_x - x(lFoot) - .1 - .3 * (d - .4) - .3 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50);
    TRANSITION to(-1).after(time .9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
