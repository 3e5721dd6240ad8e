# One step down from the edge of a high box: the left knee bends until the right foot lands, the left foot lands beside it.
SCRIPTS foot_beside.t;
BEGINSCRIPT step_down_deep_at(void)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.08226, 607.0, 60.0), lTorso2uTorso(0.05669, 621.0, 74.16),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(-0.16, 80, 8).time(.4), lShoulder(0.39, 100, 12).time(.3);
      LIPOSE lHip(0.05747, 668.6, 58.04).time(0.3196), lKnee(0.1159, 663.8, 50.51).time(0.2894), lAnkle(-0.06025, 300.0, 29.83).time(0.3266);
      IK rFoot.target local(x(lFoot) + 0.03901 - x(pelvis) + 0.0303 * orientation(pelvis), 0.034 + 0.05954 * phase_time / 0.3462 - 0.7737 + 0.1604 * orientation(lShin) * orientation(lShin) + 0.2182 * orientation(lThigh) * orientation(lThigh), 0.005972).base(rHip);
      VPD rFoot(-0.001795, -67.88, -3.6).joint(rAnkle);
      VF (14.11, 116.5, -12.16).on(rFoot).by(rHip);
      VFFB uTorso(1950.0, 148.8).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4791);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.0413 + (edge_distance(lArm) + x(lArm) + 0.3025 - x(lFoot)) * phase_time / 0.4666 - x(pelvis) + 0.056 * orientation(pelvis), 0.034 + 0.06891 - 0.9175 + 0.1802 * orientation(lShin) * orientation(lShin) + 0.1799 * orientation(lThigh) * orientation(lThigh), 0.03429).base(rHip);
      VPD rFoot(0.05715, -51.3, -3.6).joint(rAnkle);
      VF (0.0, 100.9, -10.91).on(rFoot).by(rHip);
      LIPOSE lKnee(0.38, 576.2, 65.14).time(0.7438);
      VPD uTorso(-0.01421, 332.8, 52.71).joint(lHip);
      VFSFB pelvis(279.9).by(lAnkle).speed(0.1092);
    ENDACTIONS
    TRANSITION to(2).after(time 0.6168);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(rFoot) - 0.03637 * com_vx - x(pelvis) + 0.08257 * orientation(pelvis), 0.03413 + 0.08525 - 0.9 * phase_time - 0.966 + 0.2001 * orientation(lShin) * orientation(lShin) + 0.2101 * orientation(lThigh) * orientation(lThigh), 0.0001114).base(rHip);
      VPD rFoot(0.2148, -54.57, -3.6).joint(rAnkle);
      VF (5.942, 69.3, 1.379).on(rFoot).by(rHip);
      LIPOSE lKnee(0.8561 - 2.661 * edge_rise(lArm), 466.6, 71.8).time(0.6193), lAnkle(-0.1865 + 1.213 * edge_rise(lArm), 157.7, 17.29).time(0.8271);
      VPD uTorso(0.2, 380.6, 37.04).joint(lHip);
      VFSFB pelvis(500.0).by(lAnkle).speed(0.04894);
    ENDACTIONS
    TRANSITION to(3).after(when load(rFoot) > 27.45);
    TRANSITION to(3).after(time 1.387);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.001387, 410.6, 47.1).joint(lHip);
      LIPOSE lAnkle(0.1975, 268.7, 40.09).time(0.5);
      LIPOSE rKnee(0.3887, 82.0, 26.96).time(0.2023), rHip(0.05455, 64.45, 14.87).time(0.461),
          rAnkle(-0.21, 58.81, 8.885).time(0.2064);
      VFSFB pelvis(655.3).by(lAnkle).speed(0.6916);
    ENDACTIONS
    TRANSITION to(4).after(when com_x > x(rFoot) - 0.2223 * com_vx);
    TRANSITION to(4).after(time 1.0);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # the left foot beside it
    > foot_beside(0.5801, -0.5784, 1.9, 0.2835, -0.9821, 1.483, 0.0, .3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
