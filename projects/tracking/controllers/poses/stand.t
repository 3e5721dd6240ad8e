# Stands upright on both feet and balances until everything is at rest.
BEGINSCRIPT stand(void)
  PHASE 0
    ACTIONS
      LIPOSE rHip(-.06).time(.3), lHip(-.06).time(.3);
      LIPOSE rKnee(.12).time(.3), lKnee(.12).time(.3);
      LIPOSE rAnkle(-.08).time(.3), lAnkle(-.08).time(.3);
      VFFB torso(200, 400).by(rAnkle).over(cop), torso(200, 400).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time 1);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB torso(200, 400).by(rAnkle).over(cop), torso(200, 400).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .02);
  ENDPHASE
ENDSCRIPT
