# Stands upright and balances until everything is at rest. The ankles are above the heels, so that who stands straight
# stands on the edge of his feet: the toes are pulled up at once, and the legs then lean forward.
# Its numbers are from a search over slopes of -2 to 3 degrees, two time steps and pushes of 30 N (docs/results/biped.md).
# Arguments: lean, the angle by which the ankles are bent (rad); hold, the time in which they are (s).
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
