# A jump forward with both feet from the stand, about half a metre.
SCRIPTS stand.t;
BEGINSCRIPT hop(void)
  PHASE 1
    ACTIONS
      LIPOSE bShoulder(1.05).time(0.2986);
      LIPOSE bHip(-0.6773, 68.45, 123.2).time(0.6501);
      LIPOSE bKnee(1.288, 118.9, 17.22).time(0.7524);
      LIPOSE bAnkle(-0.7215, 80.87, 40.08).time(0.9038);
      POSE bElbow(-0.5127, 159, 8.87);
      VFFB uTorso(1017, 103.1).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(2).after(time 0.02213 - 0.54 * slope(com_x));
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-0.2023, 108.3, 28.57);
      POSE bHip(-0.3563 + 0.27 * slope(com_x), 513.4, 50.08);
      POSE bKnee(0.295 - 0.19 * slope(com_x), 302.2, 21.77);
      POSE bAnkle(-0.2813 - 1.25 * slope(com_x), 318.5, 6.719);
    ENDACTIONS
    TRANSITION to(3).after(nocontact rFoot);
    TRANSITION to(3).after(time 0.4485);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bShoulder(-0.2833, 59.4, 19.1);
      POSE bHip(-0.3507, 81.55, 35.84);
      POSE bKnee(0.08182, 115.9, 20.21);
      POSE bAnkle(-0.4084, 80.03, 7.122);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot);
  ENDPHASE
  PHASE 4
    ACTIONS
      LIPOSE bShoulder(-0.4628, 46.76, 6.764).time(0.05902);
      LIPOSE bHip(-0.9504 - 0.18 * slope(com_x), 764.3, 29.92).time(0.2625);
      LIPOSE bKnee(1.14, 400, 26.38).time(0.2477);
      LIPOSE bAnkle(-0.5071 - 0.27 * slope(com_x), 221.1, 44.8).time(0.09393);
      VFFB uTorso(1716, 54.23).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3424);
  ENDPHASE
  PHASE 5
    > stand.t(1.352, 1.215);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
