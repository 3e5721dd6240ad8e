# From a step to rest with the feet where they landed: the front leg takes the weight, its ankle balances.
# The gain over the front foot is negative and reduces the stiffness of the ankle. With a positive gain or 0 the stop succeeds as
# often, but only half of the walks that start from its end do.
# The stop ends when all speeds are below 0.04. With 0.1 it ended while the trunk leaned at 0.3 rad and was about to swing back.
BEGINSCRIPT stop(void)
  PHASE 0  # which leg is in front?
    TRANSITION to(1).after(when x(rFoot) > x(lFoot));
    TRANSITION to(2).after(time 0);
  ENDPHASE
  PHASE 1  # the right one
    ACTIONS
      LIPOSE rHip(-.437, 778, 77.8).time(.388), rKnee(.451, 778, 77.8).time(.388);
      LIPOSE lHip(.033, 778, 77.8).time(.388), lKnee(.236, 778, 77.8).time(.388);
      POSE rAnkle(-.034, 571, 10), lAnkle(.154, 60, 6);
      VFFB torso(-142.7, 259.6).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(3).after(stable .04 and when orientation(torso) > .15);
    TRANSITION to(-1).after(stable .04);
  ENDPHASE
  PHASE 2  # the left one
    ACTIONS
      LIPOSE lHip(-.437, 778, 77.8).time(.388), lKnee(.451, 778, 77.8).time(.388);
      LIPOSE rHip(.033, 778, 77.8).time(.388), rKnee(.236, 778, 77.8).time(.388);
      POSE lAnkle(-.034, 571, 10), rAnkle(.154, 60, 6);
      VFFB torso(-142.7, 259.6).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(4).after(stable .04 and when orientation(torso) > .15);
    TRANSITION to(-1).after(stable .04);
  ENDPHASE
  PHASE 3  # at rest, but leaning over the right foot (with the feet 0.5 m apart, for example): its ankle pushes back
    ACTIONS
      LIPOSE rHip(-.437, 778, 77.8).time(.388), rKnee(.451, 778, 77.8).time(.388);
      LIPOSE lHip(.033, 778, 77.8).time(.388), lKnee(.236, 778, 77.8).time(.388);
      POSE rAnkle(.06, 571, 10), lAnkle(.154, 60, 6);
      VFFB torso(-142.7, 259.6).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(-1).after(time 1 and stable .04);
  ENDPHASE
  PHASE 4  # the same over the left one
    ACTIONS
      LIPOSE lHip(-.437, 778, 77.8).time(.388), lKnee(.451, 778, 77.8).time(.388);
      LIPOSE rHip(.033, 778, 77.8).time(.388), rKnee(.236, 778, 77.8).time(.388);
      POSE lAnkle(.06, 571, 10), rAnkle(.154, 60, 6);
      VFFB torso(-142.7, 259.6).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(-1).after(time 1 and stable .04);
  ENDPHASE
ENDSCRIPT
