# One stair up: the right foot lands with its middle about m (m) behind the edge, the left one beside it.
SCRIPTS stand.t;
BEGINSCRIPT step_up_at(m)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.05, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(0.15, 80, 8).time(.4), lShoulder(-0.35, 80, 8).time(.4);
      LIPOSE lHip(0, 600, 60).time(.3), lKnee(.05, 600, 60).time(.3), lAnkle(-.03, 300, 45).time(.3);
      IK rFoot.target local(x(lFoot) + 0.02 - x(pelvis) + .056 * orientation(pelvis), .034 + (edge_rise(lFoot) + 0.06) * phase_time / 0.5 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.1, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.02 + (edge_distance(lFoot) + x(lFoot) + .14 + m - x(lFoot) - 0.02) * phase_time / 0.5 - x(pelvis) + .056 * orientation(pelvis), .034 + edge_rise(lFoot) + 0.06 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.05, -60, -6).joint(rAnkle);
      VF (0, 95, 0).on(rFoot).by(rHip);
      VPD uTorso(0.05, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.12);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(edge_distance(lFoot) + x(lFoot) + .14 + m - x(pelvis) + .056 * orientation(pelvis), .034 + edge_rise(lFoot) + 0.06 - 0.25 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0, -60, -6).joint(rAnkle);
      VF (0, 60, 0).on(rFoot).by(rHip);
      LIPOSE lAnkle(-0.12, 150, 20).time(.4);
      VPD uTorso(0.08, 400, 40).joint(lHip);
      VFSFB pelvis(300).by(lAnkle).speed(0.28 + 0.3 * (edge_distance(lFoot) - .12));
    ENDACTIONS
    TRANSITION to(3).after(when load(rFoot) > 50);
    TRANSITION to(3).after(time .9);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.12, 400, 40).joint(rHip);
      LIPOSE lAnkle(0.55 + 2 * (edge_rise(lFoot) - .12), 500, 40).time(0.35), lKnee(0.05, 600, 60).time(0.25),
          lHip(0.25, 300, 40).time(0.4);
      POSE rKnee(0.75 + 3.5 * (edge_rise(lFoot) - .14), 150, 15), rAnkle(-0.3, 40, 5);
      VF (60, 0, 0).on(pelvis).by(lAnkle);
      VFSFB pelvis(300).by(lAnkle).speed(0.52 + 0.3 * (edge_distance(lFoot) - .12) + 2 * (edge_rise(lFoot) - .12));
    ENDACTIONS
    TRANSITION to(4).after(when com_x > x(rFoot) - 0.16);
    TRANSITION to(4).after(time 0.8);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # rise on the right leg, the left foot follows
    ACTIONS
      VPD uTorso(0.08, 500, 50).joint(rHip);
      LIPOSE waist(0, 600, 60).time(.4), rKnee(0.05, 800, 60).time(0.65), rAnkle(-0.05, 150, 20).time(0.5);
      LIPOSE lHip(0.1, 400, 40).time(0.25), lKnee(1.7, 400, 40).time(0.3), lAnkle(-0.3, 200, 20).time(.25);
      LIPOSE bShoulder(-.05, 60, 8).time(.6);
      VFFB uTorso(1000, 300).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(7).after(time 0.25);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 7  # the left foot over the edge
    ACTIONS
      VPD uTorso(0.06, 500, 50).joint(rHip);
      LIPOSE lHip(-0.75, 400, 40).time(0.35), lKnee(1.5, 400, 40).time(0.35);
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
