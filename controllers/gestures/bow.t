BEGINSCRIPT bow(time)
  PHASE 0
    ACTIONS
      LIPOSE waist(.35, 600, 60).time(time), lTorso2uTorso(.3, 600, 60).time(time), uTorso2neck(.3, 300, 30).time(time);
      LIPOSE bHip(-.75, 600, 60).time(time), bKnee(.05).time(time), bAnkle(.15).time(time);
      LIPOSE bShoulder(-1.15).time(time);
      VFFB uTorso(2000, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 2);
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 2);
    TRANSITION to(2).after(time 1);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE waist(0, 600, 60).time(time), lTorso2uTorso(0, 600, 60).time(time), uTorso2neck(0, 300, 30).time(time);
      LIPOSE bHip(0, 600, 60).time(time), bAnkle(0).time(time), bShoulder(0).time(.8 * time);
      VFFB uTorso(2000, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time time + .3);
  ENDPHASE
ENDSCRIPT
