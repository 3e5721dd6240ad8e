# From the handstand through a headstand and a roll over the rounded back to lying on the back.
SET TORQUELIMIT = 1000
BEGINSCRIPT handstand_to_supine(void)
  PHASE 0  # tuck the chin, lower the head to the floor by bending the arms
    ACTIONS
      LIPOSE neck2head(0.528, 315.4, 30.04).time(0.5184);
      LIPOSE uTorso2neck(0.4229, 328.3, 27.79).time(0.4952);
      LIPOSE bElbow(-2.047, 892.9, 66.42).time(0.8092);
      LIPOSE bWrist(-0.8288, 194.9, 13.91).time(0.9791);
      LIPOSE bShoulder(-1.737, 962.9, 110.2).time(0.9871);
      LIPOSE waist(0.2002, 939.2, 107.3).time(0.7432);
      LIPOSE lTorso2uTorso(0.1838, 1070.0, 84.03).time(0.68);
      LIPOSE bHip(-0.5471, 499.3, 59.52).time(0.7588);
      VFFB uTorso(1611.0, 427.8).by(bWrist).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(contact head or contact uTorso or time 1.352);
  ENDPHASE
  PHASE 1  # roll over the back of the head with a rounded back
    ACTIONS
      LIPOSE waist(0.7999, 848.6, 82.9).time(0.4381);
      LIPOSE lTorso2uTorso(0.7984, 869.7, 70.99).time(0.4548);
      LIPOSE neck2head(0.5332, 309.0, 21.05).time(0.1972);
      LIPOSE uTorso2neck(0.5453, 292.8, 19.46).time(0.2114);
      LIPOSE bHip(-0.9266, 526.4, 57.78).time(0.4711);
      LIPOSE bKnee(0.4504, 329.4, 42.84).time(0.4332);
      LIPOSE bElbow(-2.271, 465.4, 40.86).time(0.2951);
      LIPOSE bShoulder(-1.741, 421.2, 37.63).time(0.4948);
    ENDACTIONS
    TRANSITION to(2).after(contact lTorso and anglerange -2.627 0.02516);
    TRANSITION to(2).after(contact pelvis);
    TRANSITION to(2).after(time 1.829);
  ENDPHASE
  PHASE 2  # straighten with the back on the ground, arms overhead; the legs follow
    ACTIONS
      LIPOSE bShoulder(-2.592, 100.4, 14.96).time(0.3295);
      LIPOSE bElbow(-0.5103, 95.34, 15.89).time(0.3843);
      LIPOSE bWrist(-0.0145, 28.63, 2.881).time(0.4976);
      LIPOSE bHip(-0.6909, 187.0, 49.68).time(0.6229);
      LIPOSE bKnee(0.8364, 170.3, 46.74).time(0.5256);
      LIPOSE waist(0.02593, 455.6, 64.04).time(0.2083);
      LIPOSE lTorso2uTorso(-0.01576, 506.2, 69.33).time(0.2339);
      LIPOSE neck2head(0.4085, 225.3, 29.6).time(0.3937);
      LIPOSE uTorso2neck(0.3999, 187.9, 29.66).time(0.3859);
    ENDACTIONS
    TRANSITION to(3).after(time 0.8124);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE bHip(-0.1515, 159.3, 46.96).time(0.7021);
      LIPOSE bKnee(0.2357, 157.3, 42.26).time(0.6823);
      LIPOSE bShoulder(-0.1286, 58.2, 11.42).time(1.118);
      LIPOSE bElbow(-0.07132, 57.02, 9.47).time(1.176);
      LIPOSE waist(0.1215, 293.0, 37.08).time(0.5307);
      LIPOSE lTorso2uTorso(0.15, 257.0, 30.83).time(0.6138);
      LIPOSE neck2head(-0.1288, 212.7, 25.31).time(0.7852), uTorso2neck(-0.02641, 197.0, 28.09).time(0.7299);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.165);
  ENDPHASE
ENDSCRIPT
