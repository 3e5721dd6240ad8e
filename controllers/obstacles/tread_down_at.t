# One stair down from its edge onto a tread: the right foot below, the left one beside it.
SCRIPTS stand.t;
BEGINSCRIPT tread_down_at(void)
  PHASE 0  # lift the right foot
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.03522, 600, 60), lTorso2uTorso(0, 600, 60),
          bElbow(-.3, 60, 8), bWrist(0, 10, 3);
      LIPOSE rShoulder(-0.1605, 80, 8).time(.4), lShoulder(0.3946, 100, 12).time(.3);
      LIPOSE lHip(0, 600, 60).time(.3), lKnee(0.1811, 600, 60).time(.3), lAnkle(-.08, 300, 45).time(.3);
      IK rFoot.target local(x(lFoot) + 0.03879 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.0688 * phase_time / 0.3372 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.0645, -60, -6).joint(rAnkle);
      VF (0, 96.07, 0).on(rFoot).by(rHip);
      VFFB uTorso(2358, 232.3).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3372);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # over the edge
    ACTIONS
      IK rFoot.target local(x(lFoot) + 0.03879 + (edge_distance(lArm) + x(lArm) + 0.291 - x(lFoot) - 0.03879) * phase_time / 0.6929 - x(pelvis) + .056 * orientation(pelvis), .034 + 0.0688 - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(-0.02778, -60, -6).joint(rAnkle);
      VF (0, 89.52, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.3795, 600, 60).time(0.6929);
      VPD uTorso(0.06052, 329.1, 52.07).joint(lHip);
      VFSFB pelvis(356.3).by(lAnkle).speed(0.04868);
    ENDACTIONS
    TRANSITION to(2).after(time 0.6929);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # set it down
    ACTIONS
      IK rFoot.target local(x(rFoot) - 0.1946 * com_vx - x(pelvis) + .056 * orientation(pelvis), .034 + 0.0688 - 0.5214 * phase_time - .9175 + .213 * orientation(lShin) * orientation(lShin) + .212 * orientation(lThigh) * orientation(lThigh), 0).base(rHip);
      VPD rFoot(0.2156, -60, -6).joint(rAnkle);
      VF (0, 50.37, 0).on(rFoot).by(rHip);
      LIPOSE lKnee(0.7716 - 2.82 * edge_rise(lArm), 500, 60).time(0.5059),
          lAnkle(-0.2222 + 1.116 * edge_rise(lArm), 185.4, 20).time(0.5059);
      VPD uTorso(0.1448, 406.5, 26.25).joint(lHip);
      VFFB pelvis(1138, 242.4).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(when load(rFoot) > 50);
    TRANSITION to(3).after(time 1.3);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 3  # over the right foot, pushing off with the left
    ACTIONS
      VPD uTorso(0.0414, 399.6, 47.58).joint(lHip);
      LIPOSE lAnkle(0.1245, 300, 40).time(0.5252);
      LIPOSE rKnee(0.3474, 81.8, 34.04).time(.2), rHip(-0.05574, 59.71, 15).time(.5),
          rAnkle(-0.2136, 61.73, 8).time(.2);
      VFSFB pelvis(676.9).by(lAnkle).speed(0.6645);
    ENDACTIONS
    TRANSITION to(4).after(when com_x > x(rFoot) - 0.1211);
    TRANSITION to(4).after(time 0.9567);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # on the right leg, the left foot lifts off
    ACTIONS
      VPD uTorso(0.02232, 501.2, 33.35).joint(rHip);
      LIPOSE waist(0.1117, 600, 60).time(.4), rKnee(0.004869, 700, 60).time(0.6926),
          rAnkle(-0.1541, 130.7, 27.76).time(0.3594);
      LIPOSE lHip(-0.5821, 400, 40).time(0.3004), lKnee(1.577, 400, 40).time(0.2912), lAnkle(-0.245, 200, 20).time(.25);
      LIPOSE bShoulder(-.05, 60, 8).time(.6);
      VFFB uTorso(1195, 380.5).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(7).after(time 0.3211);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 7  # and follows
    ACTIONS
      VPD uTorso(-0.1287, 501.2, 33.35).joint(rHip);
      LIPOSE lHip(-0.6496, 400, 40).time(0.5273), lKnee(1.101, 400, 40).time(0.5273);
      VFFB uTorso(1195, 380.5).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3724);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 5
    ACTIONS
      MATCH lHip.to(rHip).time(0.5096), lKnee.to(rKnee).time(0.5096), lAnkle.to(rAnkle).time(0.5096);
      LIPOSE rKnee(.05, 600, 60).time(.4), rHip(0, 600, 60).time(.4), waist(0, 600, 60).time(.4);
      VFFB uTorso(1840, 287.8).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(6).after(time 0.8446);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 6
    > stand(.3, .3);
    TRANSITION to(-1).after(time .8);
    TRANSITION to(-1).after(complete);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
