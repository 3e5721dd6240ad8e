# From hands and knees to the squat: tuck the toes, lift the knees, step up under the hips with one foot after the other,
# push off with the hands.
SCRIPTS feet_to_hands.t;
BEGINSCRIPT get_up(void)
  PHASE 0  # tuck the toes
    ACTIONS
      LIPOSE waist(0.1, 858, 55).time(0.35), lTorso2uTorso(0.11, 726, 55).time(0.3);
      LIPOSE bAnkle(-0.75, 126, 23).time(0.31), bHip(-1.774, 444, 35).time(0.39), bKnee(1.964, 201, 30).time(0.53);
      LIPOSE bShoulder(-1.434, 348, 50).time(0.43), bElbow(-0.08, 206, 30).time(0.37),
          bWrist(-1.387, 22, 5.4).time(0.31);
    ENDACTIONS
    TRANSITION to(1).after(time 0.7);
  ENDPHASE
  PHASE 1  # lift the knees
    ACTIONS
      LIPOSE bKnee(1.6, 455, 43).time(0.56), bHip(-2.0, 462, 51).time(0.55), bAnkle(-0.62, 184, 29).time(0.34);
      LIPOSE bShoulder(-1.6, 538, 43).time(0.35);
    ENDACTIONS
    TRANSITION to(2).after(time 0.57);
  ENDPHASE
  PHASE 2  # twice, the feet step up under the hips
    > feet_to_hands();
    TRANSITION to(3).after(iterations 2);
  ENDPHASE
  PHASE 3  # the hips back over the feet, the hands push off
    ACTIONS
      LIPOSE waist(0.3, 600, 60).time(0.4), lTorso2uTorso(0.2, 500, 50).time(0.4);
      LIPOSE bHip(-2.4, 450, 60).time(0.3), bKnee(2.4, 300, 45).time(0.5), bAnkle(-0.75, 250, 40).time(0.3);
      LIPOSE bShoulder(-2.2, 500, 48).time(0.35), bElbow(0, 224, 40).time(.2), bWrist(-1, 20, 5).time(.3);
    ENDACTIONS
    TRANSITION to(4).after(nocontact bHand and when phase_time > .2);
    TRANSITION to(4).after(time 0.7);
  ENDPHASE
  PHASE 4  # the trunk up
    ACTIONS
      LIPOSE waist(0., 600, 60).time(0.4), lTorso2uTorso(0., 500, 40).time(0.4);
      LIPOSE bHip(-2.1, 450, 80).time(0.5), bKnee(2.35, 230, 60).time(0.5), bAnkle(-0.75, 220, 45).time(0.2);
      LIPOSE bShoulder(-1.8, 220, 30).time(0.3), bElbow(-.2, 110, 20).time(.3), bWrist(0.1, 10, 4).time(.4);
      VFFB uTorso(2500, 400).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(5).after(time 0.4);
  ENDPHASE
  PHASE 5  # hold the squat
    ACTIONS
      LIPOSE waist(0, 600, 40).time(1), lTorso2uTorso(0, 600, 35).time(1);
      LIPOSE bHip(-1.6, 450, 60).time(.6), bKnee(2.1, 300, 50).time(.9), bAnkle(-0.65, 220, 50).time(.6);
      LIPOSE bShoulder(-1.68, 200, 30).time(0.5);
      VFFB uTorso(2500, 400).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.1 and when com_vx < .2 and when com_vx > -.2);
    TRANSITION to(-1).after(time 2.5);
  ENDPHASE
ENDSCRIPT
