# A two-footed jump over 0.4 m of ground: crouch with the arms back, lean, extend legs and arms, flex the legs on landing.
SCRIPTS leap_off.t, stand.t;
SET TORQUELIMIT = 200
BEGINSCRIPT long_hop(void)
  PHASE 0
    > leap_off(0.06177);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # the toes leave the ground
    ACTIONS
      LIPOSE bShoulder(-0.8661, 112.3, 13.84).time(0.2447);
      POSE bHip(-1.105 + 0.01821 * (com_vx - 1.6), 152.5, 26.63);
      LIPOSE bKnee(0.5607, 533.1, 17.46).time(0.1911);
      LIPOSE bAnkle(-0.3049, 79.32, 10.02).time(0.1703);
      LIPOSE waist(0.2424, 821, 80.13).time(0.3039), lTorso2uTorso(0.004884, 557.2, 38.27).time(0.2492);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot or contact lFoot);
    TRANSITION to(2).after(time .8);
  ENDPHASE
  PHASE 2  # the legs bend in the air and flex on the ground
    ACTIONS
      LIPOSE bShoulder(-1.395, 68.09, 13.79).time(0.227);
      POSE bHip(-1.12 - 0.6529 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.3944 * com_vx, 325.2, 29.5);
      LIPOSE bKnee(1.542, 260, 86.58).time(0.3599);
      LIPOSE bAnkle(-0.5752, 280.2, 32.5).time(0.4462);
      VFFB uTorso(1751, 272.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(3).after(time 0.8043);
  ENDPHASE
  PHASE 3
    ACTIONS
      VFFB uTorso(1951.05, 448.7).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(stable .25);
    TRANSITION to(4).after(time .6);
  ENDPHASE
  PHASE 4
    > stand.t(1.2, 1.1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
