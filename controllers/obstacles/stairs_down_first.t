# From a stand before the first edge, the right foot to d (m) in front of the left one, on the first tread, lower by drop (m).
BEGINSCRIPT stairs_down_first(d, drop)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.2, 80, 8).time(.5), lShoulder(-0.3, 80, 8).time(.5), bElbow(-.3, 60, 8).time(.3);
      LIPOSE lHip(0, 600, 60).time(0.2576), lKnee(0.1637, 564.3, 60).time(0.2386), lAnkle(-0.07627, 100, 25).time(0.2714);
      IK rFoot.target local(x(lFoot) + 0.05543 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.06242 * phase_time / 0.1908 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(325.6).by(lAnkle).speed(0.07228 - 2.749 * (com_x - x(lFoot) - .0));
    ENDACTIONS
    TRANSITION to(1).after(time 0.2242);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.07052 + d * phase_time / 0.4472 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.07377 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.3093, 509.1, 50).time(0.4072);
      VPD uTorso(0.0398, 355.9, 40).joint(lHip);
      VFSFB pelvis(277.4).by(lAnkle).speed(0.114 - 2.346 * (com_x - x(lFoot) - .0 - 0.09061 * phase_time));
    ENDACTIONS
    TRANSITION to(2).after(time 0.36);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # down onto the tread
    ACTIONS
      IK rFoot.target local(x(lFoot) + d + 0.05776 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.1009 - 0.6609 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.2574, -40, -3).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.5202 + 3.922 * drop, 642.3, 50).time(0.3623);
      POSE lAnkle(-0.2109, 60, 20);
      VPD uTorso(0.1266, 313.5, 40).joint(lHip);
      VFSFB pelvis(436.2).by(lAnkle).speed(0.1487 + 1 * (d - 0.3003) - 3.872 * (com_x - x(lFoot) - 0.1026 - 0.2717 * (d - 0.3814) - 0.2438 * phase_time));
    ENDACTIONS
    TRANSITION to(-1).after(when load(rFoot) > 50 and when x(rFoot) > x(lFoot) + d - 0.1104);
    TRANSITION to(-1).after(time 0.9105);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
