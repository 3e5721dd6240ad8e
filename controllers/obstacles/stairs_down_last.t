# The end of stairs down: the left foot stands on the floor, the right one, about b (m) behind it and higher by rise (m), moves
# beside it.
SCRIPTS stand.t;
BEGINSCRIPT stairs_down_last(b, rise)
  PHASE 0  # over the left foot, pushing off with the right
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.035, 600, 60), lTorso2uTorso(0, 600, 60), bWrist(0, 10, 3);
      LIPOSE bShoulder(0, 80, 8).time(.5), bElbow(-.3, 60, 8).time(.3);
      VPD uTorso(0.1406 + 0.3 * (b - .3), 346.3, 40).joint(rHip);
      LIPOSE rAnkle(0.1271, 360, 50).time(0.3324), rKnee(0.8584, 600, 60).time(.3);
      LIPOSE lKnee(0.1704, 94.68, 28).time(0.1735), lHip(-0.06994, 70, 11).time(0.507), lAnkle(-0.1838, 50, 6).time(0.1682);
      VFSFB pelvis(557.6).by(rAnkle).speed(0.4302 + 1 * (b - .3));
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .3 * com_vx > x(lFoot) - 0.02808);
    TRANSITION to(1).after(time 0.7588);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # the right foot follows
    ACTIONS
      VPD uTorso(0.1137, 451.1, 50).joint(lHip);
      LIPOSE waist(0, 600, 60).time(.5), bShoulder(-.05, 80, 8).time(.4), bElbow(-.14, 60, 8).time(.5);
      LIPOSE lKnee(0.1197, 730.6, 60).time(0.4033), lAnkle(-0.124, 40, 15).time(0.4227);
      IK rFoot.target local(x(lFoot) - b + 0.03695 + (b + 0.07917) * (phase_time - 0.007456) / 0.3358 - x(pelvis) + .056 * orientation(pelvis), .034 + rise + 0.05913 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(424.9).by(lAnkle).speed(-2.68 * (com_x - x(lFoot) + 0.05265));
    ENDACTIONS
    TRANSITION to(2).after(time 0.4466);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # down beside the left one
    ACTIONS
      VPD uTorso(0.09245, 523.4, 50).joint(lHip);
      IK rFoot.target local(x(lFoot) + 0.04223 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.03059 - 0.4553 * phase_time + rise * (1 - 4.784 * phase_time) - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -40, -3).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFSFB pelvis(412.9).by(lAnkle).speed(-3.181 * (com_x - x(lFoot) + 0.02538));
    ENDACTIONS
    TRANSITION to(3).after(time 0.2352 or when load(rFoot) > 50);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3
    ACTIONS
      MATCH rHip.to(lHip).time(0.25), rKnee.to(lKnee).time(0.25), rAnkle.to(lAnkle).time(0.25);
      VPD uTorso(0.01688, 537.6, 50).joint(lHip);
      LIPOSE lKnee(0.08879, 503.3, 60).time(0.3864);
      VFSFB pelvis(362).by(lAnkle).speed(-3.208 * (com_x - x(lFoot) + 0.01106));
    ENDACTIONS
    TRANSITION to(4).after(time 0.2499 and contact rFoot);
    TRANSITION to(4).after(time 0.5791);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4
    > stand(.3, .3);
    TRANSITION to(-1).after(time 0.8051 or complete);
    TRANSITION to(-1).after(time .3 and when load(bFoot) > 100 and when com_vx < .06 and when com_vx > -.06 and when spin(uTorso) < .2 and when spin(uTorso) > -.2);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
