# Stands upright and balances until everything is at rest. The ankles are above the heels, so a straight body stands on the
# rear edges of its feet: the toes are raised at once, and the legs then lean forward.
# The constants are from a search over slopes of -2 to 3 degrees, two time steps and pushes of 30 N (projects/biped/README.md).
# Arguments: lean, the angle of the ankles (rad); hold, the time in which they reach it (s).
BEGINSCRIPT stand(lean, hold)
  PHASE 0
    ACTIONS
      LIPOSE rHip(0).time(.3), lHip(0).time(.3);
      LIPOSE rKnee(.067).time(.3), lKnee(.067).time(.3);
      LIPOSE rAnkle(-.207).time(.05), lAnkle(-.207).time(.05);
      VFFB torso(66, 169).by(rAnkle).over(cop), torso(66, 169).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time .074);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rHip(.012).time(.56), lHip(.012).time(.56);
      LIPOSE rAnkle(-lean).time(hold), lAnkle(-lean).time(hold);
      VFFB torso(137, 320).by(rAnkle).over(cop), torso(137, 320).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(time 1);
  ENDPHASE
  PHASE 2
    ACTIONS
      VFFB torso(137, 320).by(rAnkle).over(cop), torso(137, 320).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .02);
  ENDPHASE
ENDSCRIPT
