# From the stand into a squat, the hands to the floor, then the legs thrown back through the air into the plank.
BEGINSCRIPT burpee_down(void)
  PHASE 0  # down into a squat, trunk forward
    ACTIONS
      LIPOSE neck2head(-.2, 60, 10).time(.8), uTorso2neck(-.2, 60, 10).time(.8);
      LIPOSE waist(0.4217, 383, 64.32).time(0.7363), lTorso2uTorso(0.2029, 739.2, 58.26).time(0.2805);
      LIPOSE bHip(-1.637, 731.5, 45.82).time(0.7845);
      LIPOSE bKnee(1.452, 266.2, 32.08).time(1.2);
      LIPOSE bAnkle(-0.633, 513.4, 33.23).time(1.215);
      LIPOSE bShoulder(-1.694, 112.9, 23.74).time(0.6365);
      LIPOSE bElbow(-0.2602, 85.2, 11.07).time(0.8418);
      LIPOSE bWrist(-1.126, 20.72, 5.071).time(0.46);
      VFFB uTorso(1745, 167.2).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 0.8747);
  ENDPHASE
  PHASE 1  # forward over the toes until the hands touch
    ACTIONS
      LIPOSE bAnkle(-0.1871, 371.9, 20.22).time(0.4092);
      LIPOSE bHip(-1.68, 359.1, 80.61).time(0.627);
      LIPOSE bShoulder(-1.782, 148.6, 23.11).time(0.2893);
      LIPOSE bElbow(0.05, 141.4, 20.24).time(0.412);
    ENDACTIONS
    TRANSITION to(2).after(contact rHand);
    TRANSITION to(2).after(time 1.11);
  ENDPHASE
  PHASE 2  # the weight onto the hands
    ACTIONS
      LIPOSE bShoulder(-1.555, 339.6, 32.58).time(0.4098);
      LIPOSE bElbow(-0.3099, 183.3, 48.58).time(0.2454), bWrist(-1.4, 30, 6).time(.3);
      LIPOSE bHip(-1.665, 563.7, 33.02).time(0.2396);
      LIPOSE bKnee(1.534, 205.8, 39).time(0.2736);
      LIPOSE bAnkle(0.2877, 238, 30.33).time(0.3059);
      VFFB uTorso(1005, 198.4).by(rAnkle).over(part rHand);
      VFFB uTorso(1005, 198.4).by(lAnkle).over(part rHand);
    ENDACTIONS
    TRANSITION to(3).after(when com_x - x(rHand) > -0.2182);
    TRANSITION to(3).after(time 0.6152);
  ENDPHASE
  PHASE 3  # the feet push off
    ACTIONS
      LIPOSE bAnkle(0.7812, 232.8, 5.415).time(0.1163);
      LIPOSE bHip(-1.881, 463.6, 31.5).time(0.1203);
      LIPOSE bShoulder(-1.391, 490.1, 46.41).time(0.2088);
    ENDACTIONS
    TRANSITION to(4).after(time 0.08934);
  ENDPHASE
  PHASE 4  # the legs back through the air
    ACTIONS
      LIPOSE waist(0.05592, 829.8, 53.59).time(0.2235), lTorso2uTorso(-0.06628, 1172, 50.8).time(0.2626);
      LIPOSE bHip(-0.3385, 499.8, 32.78).time(0.3715);
      LIPOSE bKnee(0.1187, 581.8, 18.79).time(0.1153);
      LIPOSE bAnkle(-0.2194, 74.65, 12.34).time(0.144);
      LIPOSE bShoulder(-1.27, 546.1, 68.77).time(0.189);
      LIPOSE bElbow(-0.212, 336.3, 27.97).time(0.1806), bWrist(-1.2, 37, 7).time(.3);
    ENDACTIONS
    TRANSITION to(5).after(time 0.5868);
  ENDPHASE
  PHASE 5  # plank
    ACTIONS
      LIPOSE waist(0.2897, 1031, 55.26).time(0.2013), lTorso2uTorso(0.2642, 1017, 84.67).time(0.3059);
      LIPOSE bHip(0.1942, 881.8, 78.83).time(0.2937);
      LIPOSE bKnee(-0.05, 820, 55.09).time(0.2465);
      LIPOSE bAnkle(-0.0989, 96.29, 13.46).time(0.2904);
      LIPOSE bShoulder(-1.269, 489.4, 54.18).time(0.3264), bElbow(-0.03241, 367.4, 72.4).time(0.4158);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.4299);
  ENDPHASE
ENDSCRIPT
