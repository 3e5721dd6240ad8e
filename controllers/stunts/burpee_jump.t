# The jump of the burpee, from the crouch: push off with the legs and swing the arms up, flex the legs at landing, and rise.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT burpee_jump(void)
  PHASE 0  # push off: the legs exert a constant force on the trunk, which the hips turn upright
    ACTIONS
      LIPOSE bShoulder(-2.559, 146.2, 4.775).time(0.2137);
      LIPOSE waist(0.0955, 1499, 45.56).time(0.3045), lTorso2uTorso(-0.07001, 875.1, 59.62).time(0.1753);
      # the dampers slow the knees, which would otherwise hit their stops harder after lift-off
      POSE bKnee(0.2, 3.5, 2.5);
      LIPOSE bAnkle(0.6307 - 0.5 * slope(com_x), 283.8, 9.946).time(0.3899);
      VPD uTorso(-0.216, 170, 27.58).joint(bHip);
      VF (67.57, 490, 0).on(uTorso).by(bAnkle);
      VFSFB uTorso(153.9).by(bAnkle).speed(-0.0705);
    ENDACTIONS
    TRANSITION to(1).after(nocontact rFoot and nocontact lFoot and time 0.1);
    TRANSITION to(1).after(time 1);
  ENDPHASE
  PHASE 1  # in the air
    ACTIONS
      LIPOSE bShoulder(-0.9671, 43.27, 43.22).time(0.1993);
      LIPOSE bHip(-0.05, 280.9, 20.51).time(0.2291);
      LIPOSE bKnee(0.3, 800, 60).time(0.02);
      LIPOSE bAnkle(0.3173 - 0.5 * slope(com_x), 76.98, 9.798).time(0.07653);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot or contact lFoot);
    TRANSITION to(2).after(time .8);
  ENDPHASE
  PHASE 2  # the legs flex
    ACTIONS
      LIPOSE bShoulder(-0.3868, 56.61, 8.852).time(0.2681), bElbow(-.2, 50.83, 5.788).time(.3);
      LIPOSE waist(0.1508, 988.3, 60.21).time(.2), lTorso2uTorso(0.05266, 683.2, 63.93).time(.2);
      LIPOSE bKnee(1.292, 268.3, 37.06).time(0.3);
      LIPOSE bAnkle(-0.4747 - 0.5 * slope(com_x), 215.6, 32.06).time(0.1829);
      VPD uTorso(0.2509, 541.8, 70.79).joint(bHip);
      VFFB uTorso(1400, 300).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(3).after(time 0.3858);
  ENDPHASE
  PHASE 3  # rise
    ACTIONS
      LIPOSE bShoulder(0.001286 + slope(com_x) * (-0.0527 + 1.42 * slope(com_x)), 57.57, 10.47).time(0.8024),
          bElbow(0.0448, 66.77, 10.95).time(.8);
      LIPOSE waist(0.02075 + slope(com_x) * (-0.465 + 1.17 * slope(com_x)), 725.2, 62.77).time(.5),
          lTorso2uTorso(0.02273, 645.4, 61.61).time(.5);
      LIPOSE bHip(-0.1308 + slope(com_x) * (-0.0777 + 1.2 * slope(com_x)), 467.7, 49.45).time(0.7341);
      LIPOSE bKnee(0.1771 + slope(com_x) * (-0.283 + 0.535 * slope(com_x)), 438.7, 50.72).time(0.6964);
      LIPOSE bAnkle(-0.02806 + slope(com_x) * (-0.354 + 2.45 * slope(com_x)), 284, 37.4).time(0.9548);
      VFFB uTorso(1815, 320).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.8999);
  ENDPHASE
  PHASE 4
    > stand.t(.5, .5);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
