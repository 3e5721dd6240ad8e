# The end of stairs up: the left foot stands on the last tread, the right one, about b (m) behind it and lower by rise (m), moves
# beside it.
SCRIPTS stand.t;
BEGINSCRIPT stairs_up_last(b, rise)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE bShoulder(0, 80, 8).time(.5), bElbow(-.2, 60, 8).time(.3);
      VPD uTorso(0.1798 + 0.6571 * (b - .3), 460.4, 40).joint(lHip);
      LIPOSE rAnkle(0.3859 + 2.262 * (rise - 0.1621), 500, 40).time(0.3), rKnee(0.0543, 600, 60).time(0.1665), rHip(0.2762, 300, 40).time(0.3);
      POSE lKnee(0.7652 + 2.764 * (rise - 0.2097), 186.4, 15), lAnkle(-0.3416, 40, 5);
      VF (65.39 + 156.6 * (b - .3), 0, 0).on(pelvis).by(rAnkle);
      VFSFB pelvis(306.8).by(rAnkle).speed(0.5373 + 1.943 * (b - .3));
      VFSFB pelvis(136.7).by(lAnkle).speed(0.471 + 0.6758 * (b - .3));
    ENDACTIONS
    TRANSITION to(1).after(when com_x + 0.3439 * com_vx > x(lFoot) - 0.007782 + 0.1195 * (b - .3));
    TRANSITION to(1).after(time 0.8653);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # rise on the left foot, lift the right one
    ACTIONS
      VPD uTorso(0.09214, 553.1, 50).joint(lHip);
      LIPOSE waist(0, 600, 60).time(.5), bShoulder(-.05, 80, 8).time(.4), bElbow(-.1, 60, 8).time(.5);
      LIPOSE lKnee(0.03064, 975.9, 60).time(0.4101), lAnkle(-0.01858, 40, 15).time(0.4302);
      IK rFoot.target local(x(lFoot) - b + 0.08123 - x(pelvis) + .056 * orientation(pelvis), .034 - rise + (rise + 0.05908) * phase_time / .3 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.23, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(438).by(lAnkle).speed(-2.171 * (com_x - x(lFoot) + 0.04596));
    ENDACTIONS
    TRANSITION to(2).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # beside the left foot
    ACTIONS
      VPD uTorso(0.08333, 431.2, 45).joint(lHip);
      IK rFoot.target local(x(lFoot) - b + 0.003684 + b * phase_time / .3 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.1098 + 0.02085 * phase_time / .3 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(485.7).by(lAnkle).speed(-2.678 * (com_x - x(lFoot) + 0.01803));
    ENDACTIONS
    TRANSITION to(3).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # it comes down
    ACTIONS
      MATCH rHip.to(lHip).time(0.35), rKnee.to(lKnee).time(0.35), rAnkle.to(lAnkle).time(0.35);
      VPD uTorso(0.05, 500, 50).joint(lHip);
      LIPOSE lKnee(0.05, 752.6, 60).time(0.4856);
      VFSFB pelvis(450).by(lAnkle).speed(-3 * (com_x - x(lFoot) + 0.035));
    ENDACTIONS
    TRANSITION to(4).after(time 0.3999 and contact rFoot);
    TRANSITION to(4).after(time 0.7318);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4
    > stand(.3, .3);
    TRANSITION to(-1).after(time 0.9082 or complete);
    TRANSITION to(-1).after(time .3 and when load(bFoot) > 100 and when com_vx < .06 and when com_vx > -.06 and when spin(uTorso) < .2 and when spin(uTorso) > -.2);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
