# From lying on the back to sitting: the knees are drawn up a little, the arms reach forward, head and trunk curl up, then the
# hips bend and the trunk straightens. The heels stay on the ground.
BEGINSCRIPT sit_up(void)
  PHASE 0  # chin tucked, arms forward, heels drawn towards the seat
    ACTIONS
      LIPOSE neck2head(.4, 60, 10).time(.5), uTorso2neck(.4, 60, 10).time(.5);
      LIPOSE bHip(-0.2, 300, 50).time(0.6), bKnee(.65, 230, 38).time(0.6), bAnkle(0.1, 50, 12).time(0.5);
      LIPOSE bShoulder(-0.7, 100, 20).time(0.6), bElbow(-0.2, 65, 10).time(0.3);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4);
  ENDPHASE
  PHASE 1  # the trunk curls up from the top, arms reach forward
    ACTIONS
      LIPOSE lTorso2uTorso(0.5, 800, 57).time(0.6), waist(0.5, 850, 58).time(0.8);
      LIPOSE bShoulder(-1.2, 146, 20).time(0.6);
      VPD bThigh(-1.8 - slope(com_x), -300, -40).joint(bHip);
    ENDACTIONS
    TRANSITION to(2).after(time 0.6);
  ENDPHASE
  PHASE 2  # the hips bend
    ACTIONS
      LIPOSE bHip(-1.5, 600, 70).time(0.9), bKnee(1.03, 220, 32).time(0.9);
      LIPOSE neck2head(.1, 60, 10).time(.6), uTorso2neck(.1, 60, 10).time(.6);
      LIPOSE bShoulder(-1.6, 110, 20).time(0.6);
    ENDACTIONS
    TRANSITION to(3).after(when orientation(pelvis) > -1.25 - slope(com_x) or time 1.2);
  ENDPHASE
  PHASE 3  # the trunk straightens, the arms are lowered
    ACTIONS
      LIPOSE neck2head(0, 60, 10).time(.6), uTorso2neck(0, 60, 10).time(.6);
      LIPOSE bHip(-1.9 - 1.5 * slope(com_x), 303, 52.51).time(0.7), bKnee(1.029, 185, 32.62).time(0.4), bAnkle(0.02876, 49.34, 9.46).time(0.4358);
      LIPOSE waist(0.15, 500, 60).time(1.1), lTorso2uTorso(0.15, 633, 58.3).time(1);
      LIPOSE bShoulder(-0.5427, 98.12, 22.92).time(1.0), bElbow(-0.3513, 64.01, 20.23).time(0.7887);
    ENDACTIONS
    TRANSITION to(-1).after(time 2);
  ENDPHASE
ENDSCRIPT
