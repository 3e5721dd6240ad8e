# From a stand, the right foot to d (m) in front of the left one, on the first tread, higher by rise (m).
BEGINSCRIPT stairs_up_first(d, rise)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.25, 80, 8).time(.5), lShoulder(-0.35, 80, 8).time(.5), bElbow(-.3, 60, 8).time(.3);
      LIPOSE lHip(0, 600, 60).time(0.2509), lKnee(0.1178, 415.1, 60).time(0.271), lAnkle(-0.1236, 100, 25).time(0.2569);
      IK rFoot.target local(x(lFoot) + 0.007695 - x(pelvis) + .056 * orientation(pelvis), .034 + (rise + 0.05559) * phase_time / 0.1693 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.1328, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(348.7).by(lAnkle).speed(0.08016 - 2.791 * (com_x - x(lFoot) - 0.01438));
    ENDACTIONS
    TRANSITION to(1).after(time 0.2484);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # swing it forward
    ACTIONS
      IK rFoot.target local(x(lFoot) - 0.01905 + (d + 0.1066) * phase_time / 0.3582 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.1081 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VPD uTorso(-0.009142, 397.7, 40).joint(lHip);
      VFSFB pelvis(295.8).by(lAnkle).speed(0.1481 + 0.52 * (d - 0.4288) - 3.3 * (com_x - x(lFoot) - 0.01455 - (0.1558 + 0.4243 * (d - 0.4682)) * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time 0.3783);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.02788 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.112 - 0.3816 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      POSE lAnkle(-0.03233, 40, 15);
      VPD uTorso(0.1255, 465.1, 40).joint(lHip);
      VFSFB pelvis(370).by(lAnkle).speed(0.4255 + 1 * (d - 0.4359) - 2.434 * (com_x - x(lFoot) - 0.07626 - .3 * (d - 0.4593) - .3 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50);
    TRANSITION to(-1).after(time 0.9239);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
