# A standing long jump: crouch with the arms back, lean, extend hips, knees and ankles, reach ahead with the feet, flex the legs at
# landing. The push-off has at most 0.85 of an athlete's strength.
SCRIPTS feet_together.t, stand.t;
SET TORQUELIMIT = 200
SET TORQUELIMIT bAnkle = 195
SET TORQUELIMIT bShoulder = 102
BEGINSCRIPT broad_jump(void)
  PHASE 0
    > feet_together();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # crouch with the arms back, until at rest
    ACTIONS
      POSE neck2head(-0.25, 100, 12), uTorso2neck(-0.25, 100, 12), bWrist(0, 4, 2);
      LIPOSE bShoulder(0.9295 + slope(com_x) * (0.03493 - 4.134 * slope(com_x)), 66.61, 8.942).time(0.3152),
          bElbow(-0.4524, 63.87, 10.4).time(0.7649);
      LIPOSE waist(0.2185 + slope(com_x) * (0.2274 + 2.532 * slope(com_x)), 688.8, 32.88).time(0.3091),
          lTorso2uTorso(0.06169 + slope(com_x) * (0.06039 - 0.6111 * slope(com_x)), 619.1, 46.28).time(0.4792);
      LIPOSE bHip(-1.596 + slope(com_x) * (0.3034 + 1.374 * slope(com_x)), 456.9, 47.37).time(0.5764);
      LIPOSE bKnee(1.776 + slope(com_x) * (0.0917 + 1.286 * slope(com_x)), 436.1, 47.1).time(0.5431);
      LIPOSE bAnkle(-0.53 + slope(com_x) * (0.04225 + 0.7277 * slope(com_x)), 370.3, 27.8).time(1.056);
      VFFB uTorso(3221, 66.96).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(2).after(time 0.8998 + slope(com_x) * (0.05106 + 1.333 * slope(com_x)) and stable 0.1581);
    TRANSITION to(2).after(time 2.736 + slope(com_x) * (0.2453 - 2.264 * slope(com_x)));
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 2  # the weight forward
    ACTIONS
      LIPOSE bShoulder(-0.2457, 132.4, 15.41).time(0.2392);
      VPD uTorso(0.9 + 2.55 * slope(com_x), 252.2, 40.34).joint(rHip), uTorso(0.9 + 2.55 * slope(com_x), 252.2, 40.34).joint(lHip);
      VFSFB uTorso(196.3).by(bAnkle).speed(1.022);
    ENDACTIONS
    TRANSITION to(3).after(when com_x - .5 * x(rFoot) - .5 * x(lFoot) + com_vx / 3.231 > 0.261);
    TRANSITION to(3).after(time 0.683);
  ENDPHASE
  PHASE 3  # hips and knees extend
    ACTIONS
      LIPOSE bShoulder(-2.389, 115.4, 9.775).time(0.252);
      LIPOSE waist(-0.004982, 580.5, 39.36).time(0.1194), lTorso2uTorso(0.142, 408.6, 37.96).time(0.1167);
      POSE bHip(-0.3045, 267.9, 14.14);
      LIPOSE bKnee(0.2948, 188.2, 10.14).time(0.3026);
      POSE bAnkle(-0.2597, 607.6, 20.19);
    ENDACTIONS
    TRANSITION to(4).after(when angle(rKnee) < 1.022);
    TRANSITION to(4).after(time 0.4879);
  ENDPHASE
  PHASE 4  # the ankles extend
    ACTIONS
      POSE bAnkle(0.5815, 274.5, 9.415);
    ENDACTIONS
    TRANSITION to(5).after(nocontact rFoot and nocontact lFoot);
    TRANSITION to(5).after(time 0.3095);
  ENDPHASE
  PHASE 5  # the feet reach ahead in the air, further at higher speed
    ACTIONS
      LIPOSE bShoulder(-0.6109, 118.1, 14.49).time(0.3099);
      POSE bHip(-0.9649 - 2.814 * (com_x - .5 * x(rFoot) - .5 * x(lFoot) + 0.253 + 0.2 * (com_vx - 0.8)), 251.4, 36.12);
      LIPOSE bKnee(0.9998, 473.4, 18.14).time(0.2281);
      LIPOSE bAnkle(0.25, 61.13, 10.39).time(0.1911);
      LIPOSE waist(0.1808, 785.4, 65.96).time(0.2745), lTorso2uTorso(-0.02204, 486.8, 36.71).time(0.2646);
    ENDACTIONS
    TRANSITION to(6).after(time 0.09718 and (contact rFoot or contact lFoot));
    TRANSITION to(6).after(time 0.7746);
  ENDPHASE
  PHASE 6  # the legs flex
    ACTIONS
      LIPOSE bShoulder(-1.138, 65.09, 14.8).time(0.2614);
      POSE bHip(-1.304 + 0.4992 * (orientation(uTorso) - 0.9071) + 0.09632 * spin(uTorso), 491.3, 49.35);
      LIPOSE bKnee(1.501, 276.6, 29.53).time(0.1985);
      LIPOSE bAnkle(-0.6151, 195.9, 19.51).time(0.5282);
      VFFB uTorso(2031, 446).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(7).after(time 0.4875);
  ENDPHASE
  PHASE 7
    ACTIONS
      POSE bHip(-1.384 + 0.5273 * (orientation(uTorso) - 0.7978) + 0.08725 * spin(uTorso), 516.5, 52.66);
      VFFB uTorso(2041, 416).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(8).after(stable 0.2879);
    TRANSITION to(8).after(time 0.616);
  ENDPHASE
  PHASE 8
    > stand.t(1.176, 1.172);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
