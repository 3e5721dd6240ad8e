# From the plank to hands and knees: the knees come down, the hips move back over them, the hands follow one after the other.
BEGINSCRIPT plank_to_hands_and_knees(void)
  PHASE 0  # the knees to the ground
    ACTIONS
      LIPOSE bHip(-0.6746, 476.3, 67.28).time(0.5161);
      LIPOSE bKnee(0.9843, 194.8, 50.22).time(0.8751);
      LIPOSE bAnkle(-0.5144, 61.75, 14.85).time(0.3742);
    ENDACTIONS
    TRANSITION to(1).after(contact bShin);
    TRANSITION to(1).after(time 1.202);
  ENDPHASE
  PHASE 1  # the feet flat, the hips back
    ACTIONS
      LIPOSE waist(0, 600, 60).time(.5), lTorso2uTorso(0.05, 600, 60).time(.5);
      LIPOSE bHip(-1.55, 568, 65).time(.8);
      LIPOSE bKnee(1.75, 300, 40).time(.8);
      LIPOSE bAnkle(0.9, 15, 8).time(.4);
      LIPOSE bShoulder(-1.85, 490, 60).time(.8), bElbow(-0.06, 340, 35).time(.4), bWrist(-1.2, 29, 6).time(.6);
    ENDACTIONS
    TRANSITION to(2).after(time .8 and when x(rHand) > x(uTorso) + .33);
    TRANSITION to(6).after(time .8);
  ENDPHASE
  PHASE 2  # the right hand back
    ACTIONS
      LIPOSE rShoulder(-1.1, 200, 25).time(.2), rElbow(-1.2, 180, 20).time(.2), rWrist(-1, 20, 4).time(.2);
    ENDACTIONS
    TRANSITION to(3).after(time .28);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE rShoulder(-1.05, 300, 40).time(.2), rElbow(-.1, 200, 25).time(.25), rWrist(-1.3, 20, 4).time(.25);
    ENDACTIONS
    TRANSITION to(4).after(time .3);
  ENDPHASE
  PHASE 4  # the left hand beside it
    ACTIONS
      LIPOSE lShoulder(-1.1, 200, 25).time(.2), lElbow(-1.2, 180, 20).time(.2), lWrist(-1, 20, 4).time(.2);
    ENDACTIONS
    TRANSITION to(5).after(time .28);
  ENDPHASE
  PHASE 5
    ACTIONS
      MATCH lShoulder.to(rShoulder, 300, 40).time(.2), lElbow.to(rElbow, 200, 25).time(.25),
          lWrist.to(rWrist, 20, 4).time(.25);
    ENDACTIONS
    TRANSITION to(6).after(time .35);
  ENDPHASE
  PHASE 6  # onto hands and knees
    ACTIONS
      LIPOSE bHip(-1.4, 600, 60).time(.5), bKnee(1.85, 200, 45).time(.5), bShoulder(-1.4, 400, 50).time(.5),
          bElbow(-.1, 200, 30).time(.4),
          bWrist(-1.45, 30, 6).time(.4);
    ENDACTIONS
    TRANSITION to(7).after(time .8 and contact rShin and nocontact lShin);
    TRANSITION to(8).after(time .8 and contact lShin and nocontact rShin);
    TRANSITION to(9).after(time .8 and contact rHand and nocontact lHand);
    TRANSITION to(10).after(time .8 and contact lHand and nocontact rHand);
    TRANSITION to(-1).after(time .8);
  ENDPHASE
  PHASE 7  # the left knee is still off the ground: down beside the right one
    ACTIONS
      LIPOSE lHip(angle(rHip) + .05, 600, 60).time(.3), lKnee(angle(rKnee), 200, 45).time(.3);
    ENDACTIONS
    TRANSITION to(9).after(time .5 and contact rHand and nocontact lHand);
    TRANSITION to(10).after(time .5 and contact lHand and nocontact rHand);
    TRANSITION to(-1).after(time .5);
  ENDPHASE
  PHASE 8  # the right knee
    ACTIONS
      LIPOSE rHip(angle(lHip) + .05, 600, 60).time(.3), rKnee(angle(lKnee), 200, 45).time(.3);
    ENDACTIONS
    TRANSITION to(9).after(time .5 and contact rHand and nocontact lHand);
    TRANSITION to(10).after(time .5 and contact lHand and nocontact rHand);
    TRANSITION to(-1).after(time .5);
  ENDPHASE
  PHASE 9  # the left hand is still off the ground: down beside the right one
    ACTIONS
      LIPOSE bShoulder(angle(rShoulder), 300, 40).time(.3), bElbow(0.03, 120, 25).time(.3);
    ENDACTIONS
    TRANSITION to(-1).after(time .5 and contact bHand);
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
  PHASE 10  # the right hand
    ACTIONS
      LIPOSE bShoulder(angle(lShoulder), 300, 40).time(.3), bElbow(0.03, 120, 25).time(.3);
    ENDACTIONS
    TRANSITION to(-1).after(time .5 and contact bHand);
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
ENDSCRIPT
