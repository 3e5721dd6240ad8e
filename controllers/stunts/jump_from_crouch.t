# A jump out of the crouch: push off with the legs and at last with the feet, swing the arms overhead, flex the legs at landing, and rise.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT jump_from_crouch(void)
  PHASE 0  # push off: the legs exert a constant force on the trunk, which the hips turn upright
    ACTIONS
      LIPOSE bShoulder(-2.636, 141.1, 5.564).time(0.3198);
      LIPOSE waist(-0.01482, 2218, 54.31).time(0.3197), lTorso2uTorso(0.05423, 558.6, 43.54).time(0.1956);
      # the dampers slow the knees, which would otherwise hit their stops harder after lift-off
      POSE bKnee(0.1768, 2.956, 1.947);
      LIPOSE bAnkle(0.75 - 1.029 * slope(com_x), 196.2, 8.688).time(0.3027);
      VPD uTorso(-0.08526 - 0.2454 * slope(com_x), 108.2, 26.72).joint(bHip);
      VF (132.9 + 120 * slope(com_x), 352.9, 0).on(uTorso).by(bAnkle);
      VFSFB uTorso(235).by(bAnkle).speed(-0.0636 + 0.6454 * slope(com_x));
    ENDACTIONS
    TRANSITION to(1).after(when com_height > 0.8756);
    TRANSITION to(2).after(time 1);
  ENDPHASE
  PHASE 1  # the ankles extend while stronger dampers slow the knees
    ACTIONS
      POSE bKnee(0.07614, 1.916, 5.471);
      LIPOSE bAnkle(0.838 - 0.5902 * slope(com_x), 318.5, 8.417).time(0.07708);
      VPD uTorso(0.005145 - 0.3608 * slope(com_x), 144, 20.59).joint(bHip);
      VF (30.26, 442.3, 0).on(uTorso).by(bAnkle);
      VFSFB uTorso(106.3).by(bAnkle).speed(-0.1562 + 0.5216 * slope(com_x));
    ENDACTIONS
    TRANSITION to(2).after(nocontact rFoot and nocontact lFoot);
    TRANSITION to(2).after(time .5);
  ENDPHASE
  PHASE 2  # in the air
    ACTIONS
      LIPOSE bShoulder(-2.649, 61.78, 11.52).time(0.09321);
      LIPOSE bHip(-0.08872, 286.7, 21.64).time(0.1592);
      LIPOSE bKnee(0.2762, 348.8, 23.62).time(0.2289);
      LIPOSE bAnkle(0.2557 - 0.4231 * slope(com_x), 89.08, 13.51).time(0.07991);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot or contact lFoot);
    TRANSITION to(3).after(time .8);
  ENDPHASE
  PHASE 3  # the legs flex
    ACTIONS
      LIPOSE bShoulder(-0.3916, 58.22, 9.537).time(0.4745), bElbow(-0.2001, 50.02, 5.671).time(0.3348);
      LIPOSE waist(0.1119, 1064, 60.1).time(0.2001), lTorso2uTorso(0.02582, 637.4, 62.68).time(0.198);
      LIPOSE bKnee(1.286, 245.4, 36.63).time(0.33);
      LIPOSE bAnkle(-0.4743 - 0.4669 * slope(com_x), 204, 32.73).time(0.1773);
      VPD uTorso(0.2749, 524.4, 72.47).joint(bHip);
      VFFB uTorso(1400, 300).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3858);
  ENDPHASE
  PHASE 4  # rise
    ACTIONS
      LIPOSE bShoulder(0.001286 + slope(com_x) * (-0.0527 + 1.42 * slope(com_x)), 57.57, 10.47).time(0.7654),
          bElbow(0.03153, 66.34, 12.1).time(0.8196);
      LIPOSE waist(0.02075 + slope(com_x) * (-0.465 + 1.17 * slope(com_x)), 725.2, 62.77).time(0.4904),
          lTorso2uTorso(0.007567, 646.1, 62.25).time(0.4957);
      LIPOSE bHip(-0.1308 + slope(com_x) * (-0.0777 + 1.2 * slope(com_x)), 467.7, 49.45).time(0.7254);
      LIPOSE bKnee(0.1771 + slope(com_x) * (-0.283 + 0.535 * slope(com_x)), 438.7, 50.72).time(0.7125);
      LIPOSE bAnkle(-0.02806 + slope(com_x) * (-0.354 + 2.45 * slope(com_x)), 284, 37.4).time(0.8978);
      VFFB uTorso(1815, 320).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.8999);
  ENDPHASE
  PHASE 5
    > stand.t(.5, .5);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
