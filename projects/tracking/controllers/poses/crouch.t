# From the stand to the first pose of the broad jump (knees at 0.84, trunk at 0.54) with the body behind the ankles; then the
# feet press at their heels and the body moves forward to the speed at which the jump starts (docs/decisions/0025).
BEGINSCRIPT crouch(void)
  PHASE 0
    ACTIONS
      LIPOSE bHip(-1.23, 1000, 100).time(.8), bKnee(.84, 1000, 100).time(.8);
      LIPOSE bAnkle(-.14, 300, 30).time(.8);
      VFFB torso(200, 400).by(rAnkle).over(joint rAnkle), torso(200, 400).by(lAnkle).over(joint lAnkle);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(1).after(time 1);
  ENDPHASE
  PHASE 1  # lean back
    ACTIONS
      VPD torso(.53, 800, 80).joint(rHip);
      VPD torso(.53, 800, 80).joint(lHip);
      POSE bAnkle(angle(bAnkle), 0, 5);
      VFSFB torso(300).by(bAnkle).speed(-.06);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(2).after(when com_x < .5 * x(rFoot) + .5 * x(lFoot) - .08);
    TRANSITION to(fail).after(time 3.5);
  ENDPHASE
  PHASE 2  # move forward
    ACTIONS
      VPD torso(.53, 800, 80).joint(rHip);
      VPD torso(.53, 800, 80).joint(lHip);
      POSE bAnkle(angle(bAnkle), 0, 5);
      LIPOSE bKnee(.92, 1000, 100).time(.6);
      VF (17, 0, 0).on(torso).by(rAnkle),(17, 0, 0).on(torso).by(lAnkle);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(-1).after(when com_vx > .55);
    TRANSITION to(fail).after(time 2);
  ENDPHASE
ENDSCRIPT
