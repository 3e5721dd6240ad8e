# Balances on the hands with a straight body until everything is at rest.
# Argument: hold, the minimum time before it may end (s).
SET TORQUELIMIT = 1000
BEGINSCRIPT handstand(hold)
  PHASE 0
    ACTIONS
      POSE neck2head(-.3, 300, 45), uTorso2neck(-.3, 300, 45);
      LIPOSE bHip(0, 800, 80).time(.6);
      LIPOSE bKnee(0, 600, 60).time(.6);
      LIPOSE bAnkle(.5, 100, 20).time(.6);
      LIPOSE waist(-0.06, 1500, 120).time(.4);
      LIPOSE lTorso2uTorso(-0.05, 1500, 120).time(.4);
      LIPOSE bShoulder(-3.1, 1500, 120).time(.5);
      LIPOSE bElbow(-0.05, 1500, 120).time(.5);
      LIPOSE bWrist(-1.6, 100, 20).time(.5);
      VFFB uTorso(1900, 500).by(bWrist).over(cop);
      VFFB uTorso(1600, 400).by(bWrist).over(joint rWrist);
    ENDACTIONS
    TRANSITION to(fail).after(not anglerange 2.3 -2.3);
    TRANSITION to(1).after(time hold);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(1900, 500).by(bWrist).over(cop);
      VFFB uTorso(1600, 400).by(bWrist).over(joint rWrist);
    ENDACTIONS
    TRANSITION to(fail).after(not anglerange 2.3 -2.3);
    TRANSITION to(-1).after(stable .05);
  ENDPHASE
ENDSCRIPT
