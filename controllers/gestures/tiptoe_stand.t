# Rises onto the toes with one foot slightly ahead, stands there, and comes down with the feet side by side.
# Argument: hold, the time on the toes (s), 1 to 1.7; with more it topples.
BEGINSCRIPT tiptoe_stand(hold)
  PHASE 0  # the right foot up
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.006219, 830, 50.72),
          lTorso2uTorso(0.07025, 740.8, 61.32);
      LIPOSE rHip(-0.3224, 330.5, 59.67).time(0.3074), rKnee(0.7776, 293.9, 42.61).time(0.2815),
          rAnkle(-0.1222, 187.6, 17.37).time(0.3479);
      LIPOSE lHip(0.1248, 458.6, 36.52).time(0.3074), lKnee(-0.03796, 515.5, 25.31).time(0.2815),
          lAnkle(-0.006274, 296.8, 31.17).time(0.3479);
      LIPOSE bShoulder(-0.3821, 57.98, 10.26).time(0.3361), bElbow(-0.4338, 51.6, 8.844).time(0.4752);
      VFFB uTorso(1113, 193.2).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4809);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
  PHASE 1  # put it down ahead
    ACTIONS
      LIPOSE rHip(-0.2823, 553.2, 69.75).time(0.3636), rKnee(0.06804, 378, 35.03).time(0.4577),
          rAnkle(-0.1627, 197.2, 13.09).time(0.2355);
      VFFB uTorso(1814, 297.2).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(2).after(time 0.331);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
  PHASE 2  # the weight over the toes of both
    ACTIONS
      LIPOSE rHip(-0.2732, 476.3, 35.41).time(0.5169), rKnee(0.2661, 877.5, 54.59).time(0.5551),
          rAnkle(-0.08226, 377.3, 34.71).time(0.4586);
      LIPOSE lHip(0.1074, 476.3, 35.41).time(0.5169), lKnee(0.2376, 877.5, 54.59).time(0.5551),
          lAnkle(-0.2269, 377.3, 34.71).time(0.4586);
    ENDACTIONS
    TRANSITION to(3).after(when com_x - .5 * x(rFoot) - .5 * x(lFoot) + .3 * com_vx > 0.09171);
    TRANSITION to(3).after(time 0.4636);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
  PHASE 3  # rise onto the toes
    ACTIONS
      LIPOSE rAnkle(0.4797, 965.9, 47.33).time(0.3202), lAnkle(0.3277, 965.9, 47.33).time(0.3202);
      LIPOSE rHip(-0.3286, 349.1, 54.07).time(0.3257), lHip(-0.07447, 349.1, 54.07).time(0.3257);
      VF (-500 * (com_x - .5 * x(rFoot) - .5 * x(lFoot) - 0.1136) - 132.2 * com_vx, 0, 0).on(uTorso).by(rAnkle);
      VF (-500 * (com_x - .5 * x(rFoot) - .5 * x(lFoot) - 0.1136) - 132.2 * com_vx, 0, 0).on(uTorso).by(lAnkle);
    ENDACTIONS
    TRANSITION to(4).after(time 0.3339);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
  PHASE 4  # balance
    ACTIONS
      VF (-449 * (com_x - .5 * x(rFoot) - .5 * x(lFoot) - 0.102) - 153 * com_vx, 0, 0).on(uTorso).by(rAnkle);
      VF (-449 * (com_x - .5 * x(rFoot) - .5 * x(lFoot) - 0.102) - 153 * com_vx, 0, 0).on(uTorso).by(lAnkle);
    ENDACTIONS
    TRANSITION to(5).after(time hold);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
  PHASE 5  # down
    ACTIONS
      LIPOSE bAnkle(0.02443, 1000, 77.15).time(0.6016);
      LIPOSE rHip(-0.1465, 369.4, 57.45).time(0.6363), lHip(0.05522, 369.4, 57.45).time(0.6363),
          bKnee(-0.05, 289, 37.99).time(0.3112);
      VFFB uTorso(2312, 231.7).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(time 1.179);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
  PHASE 6  # the weight over the left foot, lift the right one
    ACTIONS
      LIPOSE rHip(-0.4635, 388, 64.73).time(0.3386), rKnee(0.7245, 431.7, 34.47).time(0.2024),
          rAnkle(-0.1999, 215.1, 14.87).time(0.3144);
      LIPOSE lHip(0.1079, 578, 36.23).time(0.3386), lKnee(-0.05, 491.1, 46.69).time(0.2024),
          lAnkle(-0.1999, 317.9, 22.28).time(0.3144);
      VFFB uTorso(2420, 245.8).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(7).after(time 0.3466);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
  PHASE 7  # put it down beside the left one
    ACTIONS
      LIPOSE rHip(0.05613, 537.3, 36.39).time(0.2885), rKnee(-0.05, 246.4, 41.59).time(0.5591),
          rAnkle(0.02491, 165.8, 12.99).time(0.2845);
      LIPOSE lKnee(-0.05, 477.1, 49.28).time(0.4284);
      LIPOSE bShoulder(0.03873, 88.59, 11.61).time(0.3279), bElbow(-0.2255, 77.83, 4.981).time(0.5489);
      VFFB uTorso(2179, 299.7).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.405);
    TRANSITION to(fail).after(fallen x .8);
  ENDPHASE
ENDSCRIPT
