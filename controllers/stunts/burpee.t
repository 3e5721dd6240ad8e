# A burpee: from the stand into a squat, the hands to the floor, the legs thrown back into the plank and drawn in again, then a jump.
SCRIPTS burpee_down.t, burpee_up.t, jump_from_crouch.t;
BEGINSCRIPT burpee(void)
  PHASE 0
    > burpee_down();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > burpee_up();
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # rise into the crouch, the arms back
    ACTIONS
      LIPOSE neck2head(0, 100, 12).time(.4), uTorso2neck(0, 100, 12).time(.4);
      POSE bWrist(0.06691, 2.073, 1.757);
      LIPOSE bShoulder(0.7145, 79.93, 17.75).time(0.3456), bElbow(-0.1152, 63.18, 10.72).time(0.3618);
      LIPOSE waist(0.04472 + slope(com_x) * (0.6 - 1.5 * slope(com_x)), 873.6, 30.51).time(0.3507),
          lTorso2uTorso(-0.1201, 636.7, 61.68).time(0.3745);
      LIPOSE bHip(-1.353 + slope(com_x) * (0.2246 - 3.24 * slope(com_x)), 482, 44.22).time(0.6412);
      LIPOSE bKnee(1.649 + slope(com_x) * (0.01179 + 3.18 * slope(com_x)), 507.9, 41.79).time(0.5785);
      LIPOSE bAnkle(-0.5807 + slope(com_x) * (-0.2337 - 1.52 * slope(com_x)), 331.8, 42.4).time(0.5809);
      VFFB uTorso(1869, 167.3).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(3).after(time 0.72);
  ENDPHASE
  PHASE 3
    > jump_from_crouch();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
