# One hop on the left leg with the right knee raised: down, up, and at rest again on the same foot.
BEGINSCRIPT hop_on_leg(void)
  PHASE 0  # down
    ACTIONS
      LIPOSE bShoulder(0.6597 + slope(com_x) * (0.0467 + 0.242 * slope(com_x)), 87.8, 9.931).time(0.2814);
      LIPOSE lHip(-0.6322 + slope(com_x) * (0.475 - 1.32 * slope(com_x)), 556.7, 50.19).time(0.2801),
          lKnee(0.9859 + slope(com_x) * (0.153 + 2.75 * slope(com_x)), 568.4, 38.49).time(0.3058),
          lAnkle(-0.4204, 249.6, 41.39).time(0.3171);
      LIPOSE rHip(-0.8966 + slope(com_x) * (-0.653 + 0.116 * slope(com_x)), 458.9, 50.19).time(0.2801);
      VFFB uTorso(2346, 342.6).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3969);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bShoulder(-0.9292 + slope(com_x) * (-0.00858 + 3.43 * slope(com_x)), 106.7, 6.075).time(0.2756);
      LIPOSE lHip(-0.1286 + slope(com_x) * (-0.236 + 2.52 * slope(com_x)), 729.6, 37.63).time(0.1144),
          lKnee(0.127 + slope(com_x) * (-0.186 - 4.87 * slope(com_x)), 661.8, 16.87).time(0.2007),
          lAnkle(0.3174, 322.1, 14).time(0.1841);
      LIPOSE rHip(-1.279 + slope(com_x) * (0.0651 - 3.46 * slope(com_x)), 405.3, 26.29).time(0.1757);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot and time 0.03599);
    TRANSITION to(2).after(time .5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # in the air
    ACTIONS
      LIPOSE bShoulder(-0.5261 + slope(com_x) * (-0.107 - 0.252 * slope(com_x)), 78.54, 12.59).time(0.1583);
      POSE lHip(-0.3765 + 0.1432 * com_vx, 280.1, 24.56);
      LIPOSE lKnee(0.4073 + slope(com_x) * (-0.0795 + 0.031 * slope(com_x)), 220.6, 23.03).time(0.08124),
          lAnkle(0.03347 + slope(com_x) * (-0.366 - 1.38 * slope(com_x)), 142.1, 8.13).time(0.07219);
    ENDACTIONS
    TRANSITION to(3).after(contact lFoot);
    TRANSITION to(3).after(time .6);
  ENDPHASE
  PHASE 3  # the leg flexes
    ACTIONS
      LIPOSE bShoulder(-0.2538 + slope(com_x) * (-0.615 + 2.03 * slope(com_x)), 99.15, 13.14).time(0.2447);
      VPD uTorso(0.1627 + slope(com_x) * (0.0134 - 4.12 * slope(com_x)), 538.1, 44.25).joint(lHip);
      LIPOSE lKnee(0.8189 + slope(com_x) * (0.194 + 0.813 * slope(com_x)), 439.7, 27.01).time(0.2472),
          lAnkle(-0.4612 + slope(com_x) * (-0.0528 - 1 * slope(com_x)), 171.3, 34.62).time(0.2706);
      LIPOSE rHip(-0.8124 + slope(com_x) * (-0.587 + 1.19 * slope(com_x)), 345.2, 26.26).time(0.3555);
      VFFB uTorso(1876, 245.8).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2953);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # at rest
    ACTIONS
      VPD uTorso(0.2101 + slope(com_x) * (-0.172 - 6.3 * slope(com_x)), 512.1, 53.5).joint(lHip);
      LIPOSE lKnee(0.3789 + slope(com_x) * (-0.265 - 1.12 * slope(com_x)), 576.6, 61.86).time(0.3287),
          lAnkle(-0.01515 + slope(com_x) * (0.196 + 5.88 * slope(com_x)), 248.3, 30.26).time(0.4352);
      LIPOSE bShoulder(0.2167 + slope(com_x) * (0.162 + 1.43 * slope(com_x)), 70.74, 13.71).time(0.4365);
      VFFB uTorso(1908, 199).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.682);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
