# From a step to rest, with the feet as they have landed: the front leg takes the body up, its ankle balances.
# Its gain over the front foot is negative, and softens the spring of the ankle: with it positive or 0 the stop holds as often,
# but only half of the walks that begin where it has ended go well (docs/reference/tracking.md).
# It waits until all speeds are below .04: at .1 it took the trunk for at rest that leans at .3 rad and is about to swing back.
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
  PHASE 3  # at rest, but leaning over the right foot, as where the feet are half a metre apart: its ankle pushes back
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
