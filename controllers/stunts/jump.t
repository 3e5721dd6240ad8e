# A vertical jump from the stand: crouch with the arms back, extend legs and arms, flex the legs at landing, and rise.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT jump(void)
  PHASE 0  # crouch with the arms back, until at rest
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0, 100, 12), bWrist(-0.007803, 2.01, 2.092);
      LIPOSE bShoulder(0.8054 + slope(com_x) * (0.319 + 0.0357 * slope(com_x)), 80.24, 17.19).time(0.4525),
          bElbow(-0.2102, 62.74, 9.782).time(0.5872);
      LIPOSE waist(0.03602 + slope(com_x) * (0.389 - 1.5 * slope(com_x)), 814.5, 40.28).time(0.8186),
          lTorso2uTorso(-0.07829, 606, 53.89).time(0.5054);
      LIPOSE bHip(-1.365 + slope(com_x) * (0.112 - 3.24 * slope(com_x)), 496.2, 37.41).time(0.711);
      LIPOSE bKnee(1.598 + slope(com_x) * (-0.132 + 3.18 * slope(com_x)), 432.3, 39.35).time(0.5733);
      LIPOSE bAnkle(-0.4699 + slope(com_x) * (-0.128 - 1.52 * slope(com_x)), 290.1, 45.16).time(0.6763);
      VFFB uTorso(2087, 165.9).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time .9 and stable .25);
    TRANSITION to(1).after(time 2.2);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bShoulder(-1.714 + slope(com_x) * (-0.248 - 0.882 * slope(com_x)), 116, 9.62).time(0.2829);
      LIPOSE waist(-0.1861 + slope(com_x) * (-0.0999 - 2.11 * slope(com_x)), 1024, 54.92).time(0.2333),
          lTorso2uTorso(-0.01495, 749.9, 64.56).time(0.1607);
      LIPOSE bHip(-0.346 + slope(com_x) * (0.557 + 1.26 * slope(com_x)), 524, 35.29).time(0.1685);
      LIPOSE bKnee(-0.01663 + slope(com_x) * (-0.589 - 0.861 * slope(com_x)), 646.8, 18.78).time(0.3007);
      LIPOSE bAnkle(0.3522 + slope(com_x) * (-0.026 + 1.29 * slope(com_x)), 207.4, 11.17).time(0.3129);
    ENDACTIONS
    TRANSITION to(2).after(nocontact rFoot and time 0.07096);
    TRANSITION to(2).after(time .5);
  ENDPHASE
  PHASE 2  # in the air
    ACTIONS
      LIPOSE bShoulder(-0.8306 + slope(com_x) * (0.00219 + 6.01 * slope(com_x)), 103.1, 16.82).time(0.2155);
      LIPOSE bHip(-0.3033 + slope(com_x) * (-0.0255 + 3.05 * slope(com_x)), 220.9, 23.94).time(0.2263);
      LIPOSE bKnee(0.376 + slope(com_x) * (0.227 + 1.77 * slope(com_x)), 445.9, 19.98).time(0.1028);
      LIPOSE bAnkle(-0.02272 + slope(com_x) * (-0.243 + 2.03 * slope(com_x)), 111.4, 11.9).time(0.1034);
      POSEFB rHip(0.0003331 + slope(com_x) * (-0.494 + 0.647 * slope(com_x)), -5.813).on(part rFoot),
          lHip(0.0003331 + slope(com_x) * (0.269 - 0.216 * slope(com_x)), -5.813).on(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot or contact lFoot);
    TRANSITION to(3).after(time .8);
  ENDPHASE
  PHASE 3  # the legs flex
    ACTIONS
      LIPOSE bShoulder(-0.5 + slope(com_x) * (-0.163 - 1.27 * slope(com_x)), 56, 8).time(0.3),
          bElbow(-.2, 50, 6).time(.3);
      LIPOSE waist(0.1 + slope(com_x) * (-0.0169 - 2.24 * slope(com_x)), 900, 60).time(.2),
          lTorso2uTorso(0.05, 700, 65).time(.2);
      LIPOSE bHip(-0.9 + slope(com_x) * (-0.219 - 3.59 * slope(com_x)), 350, 35).time(0.25);
      LIPOSE bKnee(1.2 + slope(com_x) * (0.408 + 0.31 * slope(com_x)), 330, 45).time(0.25);
      LIPOSE bAnkle(-0.35 + slope(com_x) * (0.0445 - 2.02 * slope(com_x)), 250, 30).time(0.25);
      VFFB uTorso(1700, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3);
  ENDPHASE
  PHASE 4  # rise
    ACTIONS
      LIPOSE bShoulder(0 + slope(com_x) * (-0.0527 + 1.42 * slope(com_x)), 60, 10).time(0.8),
          bElbow(0, 60, 10).time(.8);
      LIPOSE waist(0 + slope(com_x) * (-0.465 + 1.17 * slope(com_x)), 800, 60).time(.5),
          lTorso2uTorso(0, 700, 65).time(.5);
      LIPOSE bHip(-0.1 + slope(com_x) * (-0.0777 + 1.2 * slope(com_x)), 400, 50).time(0.8);
      LIPOSE bKnee(0.15 + slope(com_x) * (-0.283 + 0.535 * slope(com_x)), 400, 50).time(0.8);
      LIPOSE bAnkle(-0.05 + slope(com_x) * (-0.354 + 2.45 * slope(com_x)), 280, 35).time(0.8);
      VFFB uTorso(2000, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.9);
  ENDPHASE
  PHASE 5
    > stand.t(.5, .5);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
