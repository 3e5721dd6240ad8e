# One stair down from its edge: the right foot below, the left one beside it.
SCRIPTS stand.t;
BEGINSCRIPT step_down_at(void)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(-0.3, 80, 8).time(.4), lShoulder(0.4, 100, 12).time(.3);
      LIPOSE lHip(0, 600, 60).time(.3), lKnee(0.15, 600, 60).time(.3), lAnkle(-.08, 300, 45).time(.3);
      IK rFoot.target local(x(lFoot) + 0.02 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.06 * phase_time / 0.35 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.05, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.35);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.02 + (edge_distance(lArm) + x(lArm) + 0.2 - x(lFoot) - 0.02) * phase_time / 0.5 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.06 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.35, 600, 60).time(0.5);
      VPD uTorso(0.05, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.08);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      LIPOSE rKnee(0.2, 300, 30).time(0.4), rHip(-0.45, 300, 30).time(0.4);
      VPD rFoot(0.05, -60, -6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.5 - 4 * edge_rise(lArm), 500, 60).time(0.55),
          lAnkle(-0.25 + 1.3 * edge_rise(lArm), 150, 20).time(0.55);
      VPD uTorso(0.1, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.18);
    ENDACTIONS
    TRANSITION to(3).after(when load(rFoot) > 50);
    TRANSITION to(3).after(time 1.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.08, 400, 40).joint(rHip);
      LIPOSE lAnkle(0.3, 300, 40).time(0.4), lKnee(0.9, 300, 30).time(0.35), lHip(0, 300, 40).time(0.4);
      POSE rKnee(0.5, 350, 35), rAnkle(-0.15, 80, 10);
      VFSFB pelvis(300).by(lAnkle).speed(0.2);
    ENDACTIONS
    TRANSITION to(4).after(when com_x > x(rFoot) - 0.17);
    TRANSITION to(4).after(time 0.7);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # on the right leg, the left foot lifts off
    ACTIONS
      VPD uTorso(0.05, 500, 50).joint(rHip);
      LIPOSE waist(0, 600, 60).time(.4), rKnee(0.08, 700, 60).time(0.8), rAnkle(-0.05, 150, 20).time(0.5);
      LIPOSE lHip(-0.2, 400, 40).time(0.25), lKnee(1.3, 400, 40).time(0.25), lAnkle(-0.1, 200, 20).time(.25);
      LIPOSE bShoulder(-.05, 60, 8).time(.6);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(7).after(time 0.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 7  # and follows
    ACTIONS
      VPD uTorso(0.04, 500, 50).joint(rHip);
      LIPOSE lHip(-0.5, 400, 40).time(0.35), lKnee(1, 400, 40).time(0.35);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(5).after(time 0.4);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 5
    ACTIONS
      MATCH lHip.to(rHip).time(0.5), lKnee.to(rKnee).time(0.5), lAnkle.to(rAnkle).time(0.5);
      LIPOSE rKnee(.05, 600, 60).time(.4), rHip(0, 600, 60).time(.4), waist(0, 600, 60).time(.4);
      VFFB uTorso(2200, 280).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(6).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 6
    > stand(.3, .3);
    TRANSITION to(-1).after(time .8);
    TRANSITION to(-1).after(complete);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
