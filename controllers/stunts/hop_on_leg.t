# One hop on the left leg with the right knee raised: down, up, and at rest again on the same foot.
BEGINSCRIPT hop_on_leg(void)
  PHASE 0  # down
    ACTIONS
      LIPOSE bShoulder(0.6597 + slope(com_x) * (0.308 - 2.79 * slope(com_x)), 87.8, 9.931).time(0.2814);
      LIPOSE lHip(-0.6322 + slope(com_x) * (0.341 - 0.401 * slope(com_x)), 556.7, 50.19).time(0.2801),
          lKnee(0.9859 + slope(com_x) * (0.281 - 1.49 * slope(com_x)), 568.4, 38.49).time(0.3058),
          lAnkle(-0.4204, 249.6, 41.39).time(0.3171);
      LIPOSE rHip(-0.8966 + slope(com_x) * (-0.331 - 6.65 * slope(com_x)), 458.9, 50.19).time(0.2801);
      VFFB uTorso(2346, 342.6).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3969);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bShoulder(-0.9292 + slope(com_x) * (-0.699 + 8.08 * slope(com_x)), 106.7, 6.075).time(0.2756);
      LIPOSE lHip(-0.1286 + slope(com_x) * (0.43 + 4.82 * slope(com_x)), 729.6, 37.63).time(0.1144),
          lKnee(0.127 + slope(com_x) * (0.0964 - 9.18 * slope(com_x)), 661.8, 16.87).time(0.2007),
          lAnkle(0.3174, 322.1, 14).time(0.1841);
      LIPOSE rHip(-1.279 + slope(com_x) * (0.189 - 9.45 * slope(com_x)), 405.3, 26.29).time(0.1757);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot and time 0.03599);
    TRANSITION to(2).after(time .5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # in the air
    ACTIONS
      LIPOSE bShoulder(-0.5261 + slope(com_x) * (0.744 - 0.705 * slope(com_x)), 78.54, 12.59).time(0.1583);
      POSE lHip(-0.3765 + 0.1432 * com_vx, 280.1, 24.56);
      LIPOSE lKnee(0.4073 + slope(com_x) * (-0.252 - 4.38 * slope(com_x)), 220.6, 23.03).time(0.08124),
          lAnkle(0.03347 + slope(com_x) * (-0.558 - 6.28 * slope(com_x)), 142.1, 8.13).time(0.07219);
    ENDACTIONS
    TRANSITION to(3).after(contact lFoot);
    TRANSITION to(3).after(time .6);
  ENDPHASE
  PHASE 3  # the leg flexes
    ACTIONS
      LIPOSE bShoulder(-0.2538 + slope(com_x) * (-1.51 + 0.849 * slope(com_x)), 99.15, 13.14).time(0.2447);
      VPD uTorso(0.1627 + slope(com_x) * (-0.128 - 3.42 * slope(com_x)), 538.1, 44.25).joint(lHip);
      LIPOSE lKnee(0.8189 + slope(com_x) * (-0.585 + 8.2 * slope(com_x)), 439.7, 27.01).time(0.2472),
          lAnkle(-0.4612 + slope(com_x) * (0.141 - 6.47 * slope(com_x)), 171.3, 34.62).time(0.2706);
      LIPOSE rHip(-0.8124 + slope(com_x) * (-1.25 - 0.202 * slope(com_x)), 345.2, 26.26).time(0.3555);
      VFFB uTorso(1876, 245.8).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2953);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # at rest
    ACTIONS
      VPD uTorso(0.2101 + slope(com_x) * (-0.0616 - 6.67 * slope(com_x)), 512.1, 53.5).joint(lHip);
      LIPOSE lKnee(0.3789 + slope(com_x) * (0.333 - 0.928 * slope(com_x)), 576.6, 61.86).time(0.3287),
          lAnkle(-0.01515 + slope(com_x) * (-0.155 + 13.7 * slope(com_x)), 248.3, 30.26).time(0.4352);
      LIPOSE bShoulder(0.2167 + slope(com_x) * (0.376 + 3.49 * slope(com_x)), 70.74, 13.71).time(0.4365);
      VFFB uTorso(1908, 199).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.682);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
