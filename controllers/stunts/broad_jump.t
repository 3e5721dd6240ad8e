# A standing long jump: crouch with the arms back, lean, extend legs and arms, reach ahead with the feet, flex the legs at landing.
SCRIPTS feet_together.t, leap_off.t, stand.t;
SET TORQUELIMIT = 200
BEGINSCRIPT broad_jump(void)
  PHASE 0
    > feet_together();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > leap_off(0.08066);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # the feet reach ahead in the air, further at higher speed
    ACTIONS
      LIPOSE bShoulder(-0.8187 + slope(com_x) * (-0.508 - 0.721 * slope(com_x)), 116.8, 14.43).time(0.2178);
      POSE bHip(-1.202 - 0.08562 * (com_vx - 1.6), 142.1, 26.98);
      LIPOSE bKnee(0.639 + slope(com_x) * (-0.0708 - 0.984 * slope(com_x)), 498.5, 18.05).time(0.218);
      LIPOSE bAnkle(-0.2837 + slope(com_x) * (-1.06 - 1.26 * slope(com_x)), 76.67, 10.11).time(0.2035);
      LIPOSE waist(0.1414 + slope(com_x) * (-0.389 + 13.1 * slope(com_x)), 792.7, 67.96).time(0.2918),
          lTorso2uTorso(-0.02582, 491.9, 38.44).time(0.271);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot or contact lFoot);
    TRANSITION to(3).after(time .8 + slope(com_x) * (-0.192 + 0.489 * slope(com_x)));
  ENDPHASE
  PHASE 3  # the legs flex
    ACTIONS
      LIPOSE bShoulder(-1.4 + slope(com_x) * (0.611 - 2.17 * slope(com_x)), 67.81, 14.07).time(0.2458);
      POSE rHip(-1.189 - 0.334 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.4373 * com_vx, 313, 31.22);
      POSE lHip(-1.189 - 0.334 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.4373 * com_vx, 313, 31.22);
      LIPOSE bKnee(1.482 + slope(com_x) * (-0.993 - 9.54 * slope(com_x)), 357.5, 83.58).time(0.3344);
      LIPOSE bAnkle(-0.642 + slope(com_x) * (-0.949 + 2.38 * slope(com_x)), 334.5, 34.82).time(0.5077);
      VFFB uTorso(1642 + slope(com_x) * (0.607 - 3.65 * slope(com_x)), 301.2).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.8177 + slope(com_x) * (0.0774 + 1.13 * slope(com_x)));
  ENDPHASE
  PHASE 4
    ACTIONS
      VFFB uTorso(1951.05 + slope(com_x) * (-0.114 + 0.0769 * slope(com_x)), 448.706).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(stable .25);
    TRANSITION to(5).after(time .6 + slope(com_x) * (0.326 - 1.45 * slope(com_x)));
  ENDPHASE
  PHASE 5
    > stand.t(1.2, 1.1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
