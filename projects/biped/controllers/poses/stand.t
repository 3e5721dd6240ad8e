# Stands upright and balances until everything is at rest. The ankles are above the heels, so that who stands straight
# stands on the edge of his feet: the legs lean forward, slowly at first, since nothing but the weight pulls them.
# Arguments: rise, the time in which the legs reach the pose; hold, the least time before the rest is awaited (s).
BEGINSCRIPT stand(rise, hold)
  PHASE 0
    ACTIONS
      LIPOSE rHip(0).time(rise), lHip(0).time(rise);
      LIPOSE rKnee(.05).time(rise), lKnee(.05).time(rise);
      LIPOSE rAnkle(-.05).time(hold), lAnkle(-.05).time(hold);
      VFFB torso(20, 100).by(rAnkle).over(cop), torso(20, 100).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time hold);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rHip(.1).time(1), lHip(.1).time(1);
      LIPOSE rAnkle(-.15).time(1), lAnkle(-.15).time(1);
      VFFB torso(20, 100).by(rAnkle).over(cop), torso(20, 100).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(time 1);
  ENDPHASE
  PHASE 2
    ACTIONS
      VFFB torso(20, 100).by(rAnkle).over(cop), torso(20, 100).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .02);
  ENDPHASE
ENDSCRIPT
