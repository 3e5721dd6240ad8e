# The right foot lifts, moves forward by about d (m) over a hurdle of the height h (m), and is set down behind it.
BEGINSCRIPT foot_over(d, h)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.15, 80, 8).time(.4), lShoulder(-0.35, 80, 8).time(.4);
      LIPOSE lHip(0, 600, 60).time(.3), lKnee(.05, 600, 60).time(.3), lAnkle(-.03, 300, 45).time(.3);
      IK rFoot.target local(x(lFoot) + 0.02 - x(pelvis) + .056 * orientation(pelvis), .034 + (h + 0.09) * phase_time / 0.6 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.1, -60, -3.6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.6);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # swing it forward
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.02 + (d + 0.01) * phase_time / 0.5 - x(pelvis) + .056 * orientation(pelvis), .034 + h + 0.09 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.05, -60, -3.6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VPD uTorso(0.05, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.25 * d);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 + h + 0.09 - 1.1 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -3.6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lAnkle(-0.12, 150, 20).time(.4);
      VPD uTorso(0.08, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.05 + 0.15 * d);
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50);
    TRANSITION to(-1).after(time 1.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
