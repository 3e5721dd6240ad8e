# A vertical jump from the stand: crouch with the arms back, extend legs and arms, flex the legs at landing, and rise.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT jump(void)
  PHASE 0  # crouch with the arms back, until at rest
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0, 100, 12), bWrist(-0.007803, 2.01, 2.092);
      LIPOSE bShoulder(0.8054, 80.24, 17.19).time(0.4525), bElbow(-0.2102, 62.74, 9.782).time(0.5872);
      LIPOSE waist(0.03602, 814.5, 40.28).time(0.8186), lTorso2uTorso(-0.07829, 606, 53.89).time(0.5054);
      LIPOSE bHip(-1.365, 496.2, 37.41).time(0.711);
      LIPOSE bKnee(1.598, 432.3, 39.35).time(0.5733);
      LIPOSE bAnkle(-0.4699, 290.1, 45.16).time(0.6763);
      VFFB uTorso(2087, 165.9).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time .9 and stable .25);
    TRANSITION to(1).after(time 2.2);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bShoulder(-1.714, 116, 9.62).time(0.2829);
      LIPOSE waist(-0.1861, 1024, 54.92).time(0.2333), lTorso2uTorso(-0.01495, 749.9, 64.56).time(0.1607);
      LIPOSE bHip(-0.346, 524, 35.29).time(0.1685);
      LIPOSE bKnee(-0.01663, 646.8, 18.78).time(0.3007);
      LIPOSE bAnkle(0.3522, 207.4, 11.17).time(0.3129);
    ENDACTIONS
    TRANSITION to(2).after(nocontact rFoot and time 0.07096);
    TRANSITION to(2).after(time .5);
  ENDPHASE
  PHASE 2  # in the air
    ACTIONS
      LIPOSE bShoulder(-0.8306, 103.1, 16.82).time(0.2155);
      LIPOSE bHip(-0.3033, 220.9, 23.94).time(0.2263);
      LIPOSE bKnee(0.376, 445.9, 19.98).time(0.1028);
      LIPOSE bAnkle(-0.02272, 111.4, 11.9).time(0.1034);
      POSEFB rHip(0.0003331, -5.813).on(part rFoot), lHip(0.0003331, -5.813).on(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot or contact lFoot);
    TRANSITION to(3).after(time .8);
  ENDPHASE
  PHASE 3  # the legs flex
    ACTIONS
      LIPOSE bShoulder(-0.5, 56, 8).time(0.3), bElbow(-.2, 50, 6).time(.3);
      LIPOSE waist(0.1, 900, 60).time(.2), lTorso2uTorso(0.05, 700, 65).time(.2);
      LIPOSE bHip(-0.9, 350, 35).time(0.25);
      LIPOSE bKnee(1.2, 330, 45).time(0.25);
      LIPOSE bAnkle(-0.35, 250, 30).time(0.25);
      VFFB uTorso(1700, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3);
  ENDPHASE
  PHASE 4  # rise
    ACTIONS
      LIPOSE bShoulder(0, 60, 10).time(0.8), bElbow(0, 60, 10).time(.8);
      LIPOSE waist(0, 800, 60).time(.5), lTorso2uTorso(0, 700, 65).time(.5);
      LIPOSE bHip(-0.1, 400, 50).time(0.8);
      LIPOSE bKnee(0.15, 400, 50).time(0.8);
      LIPOSE bAnkle(-0.05, 280, 35).time(0.8);
      VFFB uTorso(2000, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.9);
  ENDPHASE
  PHASE 5
    > stand.t(.5, .5);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
