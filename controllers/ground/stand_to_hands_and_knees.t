# From the stand to hands and knees: a squat on the toes, the knees forward to the ground, then the hands.
BEGINSCRIPT stand_to_hands_and_knees(void)
  PHASE 0  # down into a squat, arms forward
    ACTIONS
      LIPOSE neck2head(-.2, 60, 10).time(.8), uTorso2neck(-.2, 60, 10).time(.8);
      LIPOSE waist(0.2, 500, 50).time(0.8), lTorso2uTorso(0.1, 600, 56).time(0.8);
      LIPOSE bHip(-2.1, 500, 50).time(1);
      LIPOSE bKnee(2.2, 306, 35).time(1);
      LIPOSE bAnkle(-0.75, 300, 38).time(1);
      LIPOSE bShoulder(-1.6, 133, 18).time(0.7);
      LIPOSE bElbow(-0.7, 65, 10).time(0.8);
      LIPOSE bWrist(-1.1, 20, 5).time(0.5);
      VFFB uTorso(1400, 200).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time 1.1);
  ENDPHASE
  PHASE 1  # forward over the toes, the knees down
    ACTIONS
      LIPOSE bAnkle(-0.6, 250, 30).time(0.6);
      LIPOSE bHip(-1.8, 400, 60).time(0.8);
      LIPOSE bKnee(2.2, 250, 40).time(0.6);
      LIPOSE bShoulder(-1.7, 142, 27).time(0.5);
      VFSFB uTorso(200).by(bAnkle).speed(.4);
    ENDACTIONS
    TRANSITION to(2).after(contact rShin);
    TRANSITION to(2).after(contact rForearm);
    TRANSITION to(5).after(time .4 and when com_vx < .1 and nocontact bHand);
    TRANSITION to(2).after(time 1.5);
  ENDPHASE
  PHASE 2  # on the knees, the trunk forward, the hands to the ground
    ACTIONS
      LIPOSE waist(0, 600, 60).time(0.5), lTorso2uTorso(0.1, 600, 60).time(0.5);
      LIPOSE bHip(-1.5, 450, 60).time(0.6);
      LIPOSE bKnee(1.9, 200, 40).time(0.6);
      LIPOSE bAnkle(0, 60, 15).time(0.5);
      LIPOSE bShoulder(-1.7, 250, 45).time(0.4);
      LIPOSE bElbow(-0.3, 180, 35).time(0.3);
      LIPOSE bWrist(-1.3, 25, 6).time(0.3);
    ENDACTIONS
    TRANSITION to(3).after(contact rHand);
    TRANSITION to(3).after(time 1.2);
  ENDPHASE
  PHASE 3  # onto hands and knees
    ACTIONS
      LIPOSE waist(0, 600, 60).time(0.7), lTorso2uTorso(0, 600, 60).time(0.7);
      LIPOSE bHip(-1.4, 600, 60).time(0.7);
      LIPOSE bKnee(1.85, 200, 45).time(0.7);
      LIPOSE bAnkle(0.9, 30, 6).time(0.7);
      LIPOSE bShoulder(-1.4, 400, 50).time(0.6);
      LIPOSE bElbow(-.1, 200, 30).time(0.6);
      LIPOSE bWrist(-1.45, 30, 6).time(0.6);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.2 and contact bHand and when com_vx < .1 and when com_vx > -.1);
    TRANSITION to(4).after(time 1.3 and not contact bHand);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
  PHASE 4  # a hand that is still off the ground reaches for it
    ACTIONS
      LIPOSE bElbow(.03, 120, 25).time(.2), bShoulder(-1.35, 300, 40).time(.3);
    ENDACTIONS
    TRANSITION to(-1).after(time .4 and contact bHand);
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
  PHASE 5  # uphill the heels stay down: the seat rises and the arms reach ahead until the body tips over the toes
    ACTIONS
      LIPOSE bKnee(1.6, 250, 40).time(.9);
      LIPOSE bShoulder(-2.4, 142, 27).time(0.5);
      VFSFB uTorso(200).by(bAnkle).speed(.3);
    ENDACTIONS
    TRANSITION to(2).after(contact rShin);
    TRANSITION to(3).after(contact rHand);
    TRANSITION to(2).after(time 2);
  ENDPHASE
ENDSCRIPT
