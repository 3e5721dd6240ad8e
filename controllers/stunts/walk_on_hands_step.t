# A step of the right hand in a walk on the hands: the weight over the left hand, the right one up and down ahead, the weight
# onto it; mirrored, it is a step of the left hand.
SET TORQUELIMIT = 1000
BEGINSCRIPT walk_on_hands_step(void)
  PHASE 0  # the weight over the left hand
    ACTIONS
      LIPOSE bHip(0.1, 800, 80).time(.3);
      VFFB uTorso(3500, 900).by(bWrist).over(part lHand);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3);
  ENDPHASE
  PHASE 1  # lift the right hand
    ACTIONS
      LIPOSE rElbow(-0.6, 600, 40).time(0.12);
      POSE rWrist(-1.3, 60, 4);
      POSE rShoulder(-3.1, 600, 50);
      POSE lShoulder(-3.1, 1500, 120);
      POSE lElbow(0.0, 1500, 120);
      VFFB uTorso(7000, 1800).by(lWrist).over(part lHand);
    ENDACTIONS
    TRANSITION to(2).after(time 0.16);
  ENDPHASE
  PHASE 2  # put it down ahead
    ACTIONS
      LIPOSE rElbow(-0.2, 600, 40).time(0.2);
      POSE rWrist(-1.45, 60, 4);
      POSE rShoulder(-3.15, 600, 50);
      VFFB uTorso(7000, 1800).by(lWrist).over(part lHand);
    ENDACTIONS
    TRANSITION to(3).after(contact rHand and when phase_time > .08);
    TRANSITION to(3).after(time 0.25);
  ENDPHASE
  PHASE 3  # the weight onto it
    ACTIONS
      LIPOSE rElbow(-0.15, 1500, 120).time(0.3);
      POSE rWrist(-1.6, 100, 20);
      VFFB uTorso(3500, 900).by(bWrist).over(part rHand);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.35);
    TRANSITION to(fail).after(not anglerange 2.3 -2.3);
  ENDPHASE
ENDSCRIPT
