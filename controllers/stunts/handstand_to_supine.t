# From the handstand through a headstand and a roll over the rounded back to lying on the back.
SET TORQUELIMIT = 1000
BEGINSCRIPT handstand_to_supine(void)
  PHASE 0  # tuck the chin, lower the head to the floor by bending the arms
    ACTIONS
      LIPOSE neck2head(0.5, 300, 30).time(0.5);
      LIPOSE uTorso2neck(0.5, 300, 30).time(0.5);
      LIPOSE bElbow(-2.0, 800, 60).time(1.0);
      LIPOSE bWrist(-0.8, 200, 15).time(1.0);
      LIPOSE bShoulder(-1.8, 1000, 90).time(1.0);
      LIPOSE waist(0.2, 1000, 90).time(0.8);
      LIPOSE lTorso2uTorso(0.2, 1000, 90).time(0.8);
      LIPOSE bHip(-0.7, 500, 60).time(0.8);
      VFFB uTorso(1500, 400).by(bWrist).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(contact head or contact uTorso or time 1.6);
  ENDPHASE
  PHASE 1  # roll over the back of the head with a rounded back
    ACTIONS
      LIPOSE waist(0.8, 800, 80).time(0.4);
      LIPOSE lTorso2uTorso(0.8, 800, 80).time(0.4);
      LIPOSE neck2head(0.55, 300, 20).time(0.2);
      LIPOSE uTorso2neck(0.55, 300, 20).time(0.2);
      LIPOSE bHip(-1.0, 500, 60).time(0.4);
      LIPOSE bKnee(0.5, 300, 40).time(0.5);
      LIPOSE bElbow(-2.3, 400, 40).time(0.3);
      LIPOSE bShoulder(-1.7, 400, 40).time(0.4);
    ENDACTIONS
    TRANSITION to(2).after(contact lTorso and anglerange -2.6 0);
    TRANSITION to(2).after(contact pelvis);
    TRANSITION to(2).after(time 2.0);
  ENDPHASE
  PHASE 2  # straighten with the back on the ground, arms overhead; the legs follow
    ACTIONS
      LIPOSE bShoulder(-2.6, 100, 15).time(0.3);
      LIPOSE bElbow(-0.5, 100, 15).time(0.4);
      LIPOSE bWrist(0, 30, 3).time(0.5);
      LIPOSE bHip(-0.8, 200, 45).time(0.6);
      LIPOSE bKnee(0.8, 200, 45).time(0.5);
      LIPOSE waist(0, 500, 60).time(0.25);
      LIPOSE lTorso2uTorso(0, 500, 60).time(0.25);
      LIPOSE neck2head(0.3, 200, 30).time(0.4);
      LIPOSE uTorso2neck(0.3, 200, 30).time(0.4);
    ENDACTIONS
    TRANSITION to(3).after(time 0.8);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE bHip(-0.1, 150, 40).time(0.8);
      LIPOSE bKnee(0.15, 150, 40).time(0.8);
      LIPOSE bShoulder(-0.1, 60, 12).time(1.0);
      LIPOSE bElbow(-0.1, 60, 10).time(1.0);
      LIPOSE waist(0.0, 300, 40).time(0.6);
      LIPOSE lTorso2uTorso(0.0, 300, 40).time(0.6);
      LIPOSE neck2head(0, 200, 30).time(0.8), uTorso2neck(0, 200, 30).time(0.8);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.3);
  ENDPHASE
ENDSCRIPT
