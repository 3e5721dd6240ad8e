# A jump with both feet over .4 m of ground: a quiet crouch with the arms back, a lean, legs and arms extend, the legs give way.
SCRIPTS stand.t;
SET TORQUELIMIT = 200
BEGINSCRIPT long_hop(void)
  PHASE 0  # down into a crouch, the arms back, and quiet
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0, 100, 12), bWrist(0, 4, 2);
      LIPOSE bShoulder(0.9477, 65.49, 8.332).time(0.3236), bElbow(-0.4156, 61.22, 10.18).time(0.777);
      LIPOSE waist(0.2242, 634.2, 34.64).time(0.3016), lTorso2uTorso(0.0122, 615.2, 44.96).time(0.4988);
      LIPOSE bHip(-1.548, 448.2, 46.13).time(0.5462);
      LIPOSE bKnee(1.788, 420.6, 49.59).time(0.5205);
      LIPOSE bAnkle(-0.5187, 379.2, 30.13).time(0.9956);
      VFFB uTorso(3078.79, 69.31).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time .9 and stable .15);
    TRANSITION to(1).after(time 2.4);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1  # the weight forward
    ACTIONS
      LIPOSE bShoulder(-0.2278, 131.8, 15.1).time(0.2465);
      VFSFB uTorso(300).by(bAnkle).speed(1.0);
    ENDACTIONS
    TRANSITION to(2).after(when com_x - .5 * x(rFoot) - .5 * x(lFoot) + com_vx / 3.2 > 0.06177);
    TRANSITION to(2).after(time .5);
  ENDPHASE
  PHASE 2  # up and forward
    ACTIONS
      LIPOSE bShoulder(-1.571, 76.47, 9.926).time(0.144);
      LIPOSE waist(-0.2131, 600.5, 37.43).time(0.1213), lTorso2uTorso(0.2176, 399.2, 35.64).time(0.0731);
      LIPOSE bHip(-0.4127, 589.3, 32.59).time(0.307);
      LIPOSE bKnee(-0.05, 332.6, 7.614).time(0.3947);
      LIPOSE bAnkle(0.3763, 110, 8.264).time(0.1849);
    ENDACTIONS
    TRANSITION to(3).after(nocontact rFoot and nocontact lFoot and time 0.1013);
    TRANSITION to(3).after(time .5);
  ENDPHASE
  PHASE 3  # the toes leave the ground
    ACTIONS
      LIPOSE bShoulder(-0.8661, 112.3, 13.84).time(0.2447);
      POSE bHip(-1.105 + 0.01821 * (com_vx - 1.6), 152.5, 26.63);
      LIPOSE bKnee(0.5607, 533.1, 17.46).time(0.1911);
      LIPOSE bAnkle(-0.3049, 79.32, 10.02).time(0.1703);
      LIPOSE waist(0.2424, 821, 80.13).time(0.3039), lTorso2uTorso(0.004884, 557.2, 38.27).time(0.2492);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot or contact lFoot);
    TRANSITION to(4).after(time .8);
  ENDPHASE
  PHASE 4  # in the air the legs bend, and give way on the ground
    ACTIONS
      LIPOSE bShoulder(-1.395, 68.09, 13.79).time(0.227);
      POSE bHip(-1.12 - 0.6529 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.3944 * com_vx, 325.2, 29.5);
      LIPOSE bKnee(1.542, 260, 86.58).time(0.3599);
      LIPOSE bAnkle(-0.5752, 280.2, 32.5).time(0.4462);
      VFFB uTorso(1751, 272.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.8043);
  ENDPHASE
  PHASE 5
    ACTIONS
      VFFB uTorso(1951.05, 448.7).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(stable .25);
    TRANSITION to(6).after(time .6);
  ENDPHASE
  PHASE 6
    > stand.t(1.2, 1.1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
