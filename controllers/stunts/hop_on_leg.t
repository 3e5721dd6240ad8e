# One hop on the left leg with the right knee raised: down, up, and at rest again on the same foot.
BEGINSCRIPT hop_on_leg(void)
  PHASE 0  # down
    ACTIONS
      LIPOSE bShoulder(0.6597, 87.8, 9.931).time(0.2814);
      LIPOSE lHip(-0.6322, 556.7, 50.19).time(0.2801), lKnee(0.9859, 568.4, 38.49).time(0.3058),
          lAnkle(-0.4204, 249.6, 41.39).time(0.3171);
      LIPOSE rHip(-0.8966, 458.9, 50.19).time(0.2801);
      VFFB uTorso(2346, 342.6).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3969);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 1  # up
    ACTIONS
      LIPOSE bShoulder(-0.9292, 106.7, 6.075).time(0.2756);
      LIPOSE lHip(-0.1286, 729.6, 37.63).time(0.1144), lKnee(0.127, 661.8, 16.87).time(0.2007),
          lAnkle(0.3174, 322.1, 14).time(0.1841);
      LIPOSE rHip(-1.279, 405.3, 26.29).time(0.1757);
    ENDACTIONS
    TRANSITION to(2).after(nocontact lFoot and time 0.03599);
    TRANSITION to(2).after(time .5);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 2  # in the air
    ACTIONS
      LIPOSE bShoulder(-0.5261, 78.54, 12.59).time(0.1583);
      POSE lHip(-0.3765 + 0.1432 * com_vx, 280.1, 24.56);
      LIPOSE lKnee(0.4073, 220.6, 23.03).time(0.08124), lAnkle(0.03347, 142.1, 8.13).time(0.07219);
    ENDACTIONS
    TRANSITION to(3).after(contact lFoot);
    TRANSITION to(3).after(time .6);
  ENDPHASE
  PHASE 3  # the leg flexes
    ACTIONS
      LIPOSE bShoulder(-0.2538, 99.15, 13.14).time(0.2447);
      VPD uTorso(0.1627, 538.1, 44.25).joint(lHip);
      LIPOSE lKnee(0.8189, 439.7, 27.01).time(0.2472), lAnkle(-0.4612, 171.3, 34.62).time(0.2706);
      LIPOSE rHip(-0.8124, 345.2, 26.26).time(0.3555);
      VFFB uTorso(1876, 245.8).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 0.2953);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
  PHASE 4  # at rest
    ACTIONS
      VPD uTorso(0.2101, 512.1, 53.5).joint(lHip);
      LIPOSE lKnee(0.3789, 576.6, 61.86).time(0.3287), lAnkle(-0.01515, 248.3, 30.26).time(0.4352);
      LIPOSE bShoulder(0.2167, 70.74, 13.71).time(0.4365);
      VFFB uTorso(1908, 199).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.682);
    TRANSITION to(fail).after(fallen x 1);
  ENDPHASE
ENDSCRIPT
