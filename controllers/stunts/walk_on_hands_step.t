# A step of the right hand in a walk on the hands: the weight over the left hand, the right one up and down ahead, the weight
# onto it; mirrored, it is a step of the left hand. The elbows are flexed so that the shoulders, and the body above them, are
# ahead of the wrists, over the palm.
SET TORQUELIMIT = 1000
BEGINSCRIPT walk_on_hands_step(void)
  PHASE 0  # the weight over the left hand
    ACTIONS
      LIPOSE neck2head(-0.3, 300, 45).time(0.4), uTorso2neck(-0.3, 300, 45).time(0.4);
      LIPOSE bHip(-0.1, 800, 80).time(0.3);
      LIPOSE waist(-0.17, 1500, 120).time(0.4);
      LIPOSE lTorso2uTorso(0.11, 1500, 120).time(0.4);
      LIPOSE lElbow(-0.2, 1500, 120).time(0.3);
      LIPOSE lShoulder(-2.93, 1500, 120).time(0.3);
      LIPOSE rElbow(-0.2, 800, 80).time(0.3);
      LIPOSE rShoulder(-2.93, 800, 80).time(0.3);
      VF (2200 * (x(lHand) + 0.015 - com_x) - 1340 * com_vx, 0, 0).on(uTorso).by(bWrist);
    ENDACTIONS
    TRANSITION to(1).after(when com_x - x(lHand) + 0.215 * com_vx > -0.06);
    TRANSITION to(1).after(time 0.6);
  ENDPHASE
  PHASE 1  # lift the right hand
    ACTIONS
      LIPOSE rElbow(-0.9, 600, 40).time(0.15);
      POSE rWrist(-1.14, 60, 4);
      LIPOSE rShoulder(-2.69, 600, 50).time(0.15);
      LIPOSE lElbow(-0.2, 1500, 120).time(0.15);
      LIPOSE lShoulder(-2.93, 1500, 120).time(0.15);
      POSE lWrist(-1.6, 100, 20);
      VF (2670 * (x(lHand) - 0.0235 - com_x) - 1710 * com_vx, 0, 0).on(uTorso).by(lWrist);
    ENDACTIONS
    TRANSITION to(2).after(time 0.24);
  ENDPHASE
  PHASE 2  # put it down ahead
    ACTIONS
      LIPOSE rElbow(-0.4, 600, 40).time(0.36);
      POSE rWrist(-1.6, 60, 4);
      POSE rShoulder(-2.99 - 0.34 * (com_vx - 0.12) - 0.44 * (com_x - x(lHand)), 600, 50);
      VF (2670 * (x(lHand) - 0.0235 - com_x) - 1710 * com_vx, 0, 0).on(uTorso).by(lWrist);
    ENDACTIONS
    TRANSITION to(3).after(contact rHand and when phase_time > 0.08);
    TRANSITION to(3).after(time 0.4);
  ENDPHASE
  PHASE 3  # the weight onto it
    ACTIONS
      LIPOSE rElbow(-0.2, 1500, 120).time(0.3);
      LIPOSE rShoulder(-2.93, 1500, 120).time(0.3);
      LIPOSE lElbow(-0.1, 800, 80).time(0.47);
      LIPOSE lShoulder(-2.86, 800, 80).time(0.47);
      POSE rWrist(-1.6, 100, 20);
      VF (2200 * (x(rHand) + 0.015 - com_x) - 1340 * com_vx, 0, 0).on(uTorso).by(bWrist);
    ENDACTIONS
    TRANSITION to(-1).after(when com_x - x(rHand) + 0.215 * com_vx > -0.06);
    TRANSITION to(-1).after(time 0.6);
    TRANSITION to(fail).after(not anglerange 2.3 -2.3);
  ENDPHASE
ENDSCRIPT
