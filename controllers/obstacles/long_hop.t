# A two-footed jump over 0.4 m of ground: crouch with the arms back, lean, extend legs and arms, push off with the toes, reach ahead
# with the feet in the air, flex the legs on landing.
SCRIPTS leap_off.t, stand.t;
SET TORQUELIMIT = 200
SET TORQUELIMIT bKnee = 136
BEGINSCRIPT long_hop(void)
  PHASE 0
    > leap_off(0.06177 + 0.08 * slope(com_x));
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # push off with the toes
    ACTIONS
      LIPOSE bShoulder(-1.395, 68.09, 13.79).time(0.227);
      LIPOSE waist(0.2424, 821, 80.13).time(0.3039), lTorso2uTorso(0.004884, 557.2, 38.27).time(0.2492);
      POSE bHip(-1.12 - 0.6529 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.3944 * com_vx, 325.2, 29.5);
      LIPOSE bKnee(1.542, 260, 86.58).time(0.3599);
      LIPOSE bAnkle(-0.5752, 280.2, 32.5).time(0.4462);
      VFFB uTorso(1751, 272.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(2).after(nocontact rFoot and nocontact lFoot and time .02);
    TRANSITION to(2).after(time .3);
  ENDPHASE
  PHASE 2  # the feet reach ahead in the air, further at higher speed
    ACTIONS
      POSE bHip(-1 - 3 * (com_x - .5 * x(rFoot) - .5 * x(lFoot) + 0.12 + 0.2 * (com_vx - 0.8)), 250, 35);
    ENDACTIONS
    TRANSITION to(3).after(time .1 and (contact rFoot or contact lFoot));
    TRANSITION to(3).after(time .8);
  ENDPHASE
  PHASE 3  # the legs flex
    ACTIONS
      POSE bHip(-1.12 - 0.6529 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.3944 * com_vx, 325.2, 29.5);
      VFFB uTorso(2000, 450).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.4);
  ENDPHASE
  PHASE 4
    ACTIONS
      VFFB uTorso(1951.05, 448.7).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(stable .25);
    TRANSITION to(5).after(time .6);
  ENDPHASE
  PHASE 5
    > stand.t(1.2, 1.1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
