# From hands and knees to the squat: tuck the toes, lift the knees, step up under the hips with one foot after the other,
# push off with the hands.
SCRIPTS feet_to_hands.t;
BEGINSCRIPT get_up(void)
  PHASE 0  # tuck the toes
    ACTIONS
      LIPOSE waist(0.1 + slope(com_x) * (-0.216 - 1.56 * slope(com_x)), 858, 55).time(0.35),
          lTorso2uTorso(0.11, 726, 55).time(0.3);
      LIPOSE bAnkle(-0.75 + slope(com_x) * (0.488 + 2.16 * slope(com_x)), 126, 23).time(0.31),
          bHip(-1.774 + slope(com_x) * (-0.325 + 1.42 * slope(com_x)), 444, 35).time(0.39),
          bKnee(1.964 + slope(com_x) * (0.165 + 1.26 * slope(com_x)), 201, 30).time(0.53);
      LIPOSE bShoulder(-1.434, 348, 50).time(0.43), bElbow(-0.08, 206, 30).time(0.37),
          bWrist(-1.387, 22, 5.4).time(0.31);
    ENDACTIONS
    TRANSITION to(1).after(time 0.7);
  ENDPHASE
  PHASE 1  # lift the knees
    ACTIONS
      LIPOSE bKnee(1.6 + slope(com_x) * (0.0372 + 0.734 * slope(com_x)), 455, 43).time(0.56),
          bHip(-2.0 + slope(com_x) * (0.37 + 1.05 * slope(com_x)), 462, 51).time(0.55),
          bAnkle(-0.62 + slope(com_x) * (-0.587 + 5.14 * slope(com_x)), 184, 29).time(0.34);
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
      LIPOSE waist(0.3 + slope(com_x) * (-0.00243 - 4.93 * slope(com_x)), 600, 60).time(0.4),
          lTorso2uTorso(0.2, 500, 50).time(0.4);
      LIPOSE bHip(-2.4 + slope(com_x) * (-0.31 + 0.109 * slope(com_x)), 450, 60).time(0.3),
          bKnee(2.4 + slope(com_x) * (-0.25 - 2.68 * slope(com_x)), 300, 45).time(0.5),
          bAnkle(-0.75 + slope(com_x) * (0.234 + 8.77 * slope(com_x)), 250, 40).time(0.3);
      LIPOSE bShoulder(-2.2, 500, 48).time(0.35), bElbow(0, 224, 40).time(.2), bWrist(-1, 20, 5).time(.3);
    ENDACTIONS
    TRANSITION to(4).after(nocontact bHand and when phase_time > .2);
    TRANSITION to(4).after(time 0.7);
  ENDPHASE
  PHASE 4  # the trunk up
    ACTIONS
      LIPOSE waist(0. + slope(com_x) * (-0.091 + 2.17 * slope(com_x)), 600, 60).time(0.4),
          lTorso2uTorso(0., 500, 40).time(0.4);
      LIPOSE bHip(-2.1 + slope(com_x) * (-0.0607 + 1.85 * slope(com_x)), 450, 80).time(0.5),
          bKnee(2.35 + slope(com_x) * (0.861 - 3.37 * slope(com_x)), 230, 60).time(0.5),
          bAnkle(-0.75 + slope(com_x) * (-0.409 + 0.987 * slope(com_x)), 220, 45).time(0.2);
      LIPOSE bShoulder(-1.8, 220, 30).time(0.3), bElbow(-.2, 110, 20).time(.3), bWrist(0.1, 10, 4).time(.4);
      VFFB uTorso(2500, 400).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(5).after(time 0.4);
  ENDPHASE
  PHASE 5  # hold the squat
    ACTIONS
      LIPOSE waist(0 + slope(com_x) * (-0.315 + 0.104 * slope(com_x)), 600, 40).time(1),
          lTorso2uTorso(0, 600, 35).time(1);
      LIPOSE bHip(-1.6 + slope(com_x) * (0.118 - 0.593 * slope(com_x)), 450, 60).time(.6),
          bKnee(2.1 + slope(com_x) * (-0.055 + 0.23 * slope(com_x)), 300, 50).time(.9),
          bAnkle(-0.65 + slope(com_x) * (0.262 - 1.92 * slope(com_x)), 220, 50).time(.6);
      LIPOSE bShoulder(-1.68, 200, 30).time(0.5);
      VFFB uTorso(2500, 400).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.1 and when com_vx < .2 and when com_vx > -.2);
    TRANSITION to(-1).after(time 2.5);
  ENDPHASE
ENDSCRIPT
