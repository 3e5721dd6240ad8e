# The right foot lifts, moves forward by about d (m) and is set down on ground that is higher by rise (m). The body moves at
# v (m/s) during the swing and at w while the foot is set down. The foot is lifted within lift (s).
BEGINSCRIPT foot_forward(d, rise, v, w, lift)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.15, 80, 8).time(.4), lShoulder(-0.35, 80, 8).time(.4);
      LIPOSE lHip(0, 600, 60).time(.3), lKnee(.05, 600, 60).time(.3), lAnkle(-.03, 300, 45).time(.3);
      IK rFoot.target local(x(lFoot) + 0.02 - x(pelvis) + .056 * orientation(pelvis), .034 + (rise + 0.05) * phase_time / lift - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.1, -60, -3.6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time lift);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # swing it forward
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.02 + (d + 0.01) * phase_time / 0.5 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.05 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.05, -60, -3.6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VPD uTorso(0.05, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(v);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.03 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.05 - 0.25 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -3.6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lAnkle(-0.12, 150, 20).time(.4);
      VPD uTorso(0.08, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(w);
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50);
    TRANSITION to(-1).after(time .9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
