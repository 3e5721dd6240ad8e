# A vertical jump from the stand: crouch with the arms back, push off with the legs and at last with the feet, swing the arms up, flex
# the legs at landing, and rise.
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
  PHASE 1  # push off: the legs exert a constant force on the trunk, which the hips turn upright
    ACTIONS
      LIPOSE bShoulder(-2.504, 168.8, 5.457).time(0.3649);
      LIPOSE waist(-0.02482, 2160, 56.06).time(0.321), lTorso2uTorso(0.02712, 550.1, 43.3).time(0.1987);
      # the dampers slow the knees, which would otherwise hit their stops harder after lift-off
      POSE bKnee(0.1974, 2.881, 1.907);
      LIPOSE bAnkle(0.7486 - 0.953 * slope(com_x), 195.3, 8.355).time(0.3032);
      VPD uTorso(-0.04726 - 0.2375 * slope(com_x), 109.2, 28.27).joint(bHip);
      VF (134.6 + 120 * slope(com_x), 344, 0).on(uTorso).by(bAnkle);
      VFSFB uTorso(227.6).by(bAnkle).speed(-0.05493 + 0.5933 * slope(com_x));
    ENDACTIONS
    TRANSITION to(2).after(when com_height > 0.8742);
    TRANSITION to(3).after(time 1);
  ENDPHASE
  PHASE 2  # the ankles extend while stronger dampers slow the knees
    ACTIONS
      POSE bKnee(0.06039, 1.959, 5.379);
      LIPOSE bAnkle(0.8526 - 0.6 * slope(com_x), 330, 8.522).time(0.07925);
      VPD uTorso(-0.00838 - 0.3627 * slope(com_x), 141.3, 20.8).joint(bHip);
      VF (36.85, 412.7, 0).on(uTorso).by(bAnkle);
      VFSFB uTorso(103.6).by(bAnkle).speed(-0.1455 + 0.5189 * slope(com_x));
    ENDACTIONS
    TRANSITION to(3).after(nocontact rFoot and nocontact lFoot);
    TRANSITION to(3).after(time .5);
  ENDPHASE
  PHASE 3  # in the air
    ACTIONS
      LIPOSE bShoulder(-0.7928, 48.51, 61.44).time(0.2012);
      LIPOSE bHip(-0.1271, 276.9, 22.81).time(0.1693);
      LIPOSE bKnee(0.2414, 333, 24.46).time(0.2268);
      LIPOSE bAnkle(0.275 - 0.4424 * slope(com_x), 89.36, 13.03).time(0.08614);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot or contact lFoot);
    TRANSITION to(4).after(time .8);
  ENDPHASE
  PHASE 4  # the legs flex
    ACTIONS
      LIPOSE bShoulder(-0.3915, 55.22, 9.573).time(0.275), bElbow(-0.2192, 50.43, 5.685).time(0.3317);
      LIPOSE waist(0.1677, 1043, 58.27).time(0.1912), lTorso2uTorso(0.06428, 658.4, 63.61).time(0.2024);
      LIPOSE bKnee(1.262, 262.6, 35.65).time(0.3);
      LIPOSE bAnkle(-0.5016 - 0.4938 * slope(com_x), 206.5, 30.7).time(0.1803);
      VPD uTorso(0.2599, 524.5, 68.81).joint(bHip);
      VFFB uTorso(1400, 300).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3858);
  ENDPHASE
  PHASE 5  # rise
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
    TRANSITION to(6).after(time 0.8999);
  ENDPHASE
  PHASE 6
    > stand.t(.5, .5);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
