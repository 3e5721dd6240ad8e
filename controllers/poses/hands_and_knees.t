# Holds the pose on hands and knees until everything is at rest, for at most three seconds.
# Argument: time, in which the pose is reached (s).
BEGINSCRIPT hands_and_knees(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(-.2, 60, 10).time(time), uTorso2neck(-.2, 60, 10).time(time);
      LIPOSE waist(0, 600, 60).time(time), lTorso2uTorso(.6 * slope(com_x), 600, 60).time(time);
      LIPOSE bHip(-1.4, 600, 60).time(time);
      LIPOSE bKnee(1.85, 200, 45).time(time);
      LIPOSE bAnkle(.9, 30, 6).time(time);
      LIPOSE bShoulder(-1.4, 400, 50).time(time);
      LIPOSE bElbow(-.1, 200, 30).time(time);
      LIPOSE bWrist(-1.45, 30, 6).time(time);
    ENDACTIONS
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    TRANSITION to(2).after(when phase_time > .2 and nocontact bHand);
    TRANSITION to(3).after(when phase_time > .2 and nocontact lHand);
    TRANSITION to(4).after(when phase_time > .2 and nocontact rHand);
    TRANSITION to(-1).after(stable .03);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
  PHASE 2  # hands that are still off the ground reach for it
    ACTIONS
      LIPOSE bElbow(.03, 120, 25).time(.2), bShoulder(-1.35, 300, 40).time(.3);
    ENDACTIONS
    TRANSITION to(-1).after(time .5 and stable .03 and contact bHand);
    TRANSITION to(-1).after(time 2);
  ENDPHASE
  PHASE 3  # the left hand is still off the ground: down beside the right one
    ACTIONS
      LIPOSE bShoulder(angle(rShoulder), 300, 40).time(.3), bElbow(.03, 120, 25).time(.2);
    ENDACTIONS
    TRANSITION to(-1).after(time .5 and stable .03 and contact bHand);
    TRANSITION to(-1).after(time 2);
  ENDPHASE
  PHASE 4  # the right hand
    ACTIONS
      LIPOSE bShoulder(angle(lShoulder), 300, 40).time(.3), bElbow(.03, 120, 25).time(.2);
    ENDACTIONS
    TRANSITION to(-1).after(time .5 and stable .03 and contact bHand);
    TRANSITION to(-1).after(time 2);
  ENDPHASE
ENDSCRIPT
