# The left hand is lifted and put down beside the right one, which stands ahead; mirrored, the right hand.
BEGINSCRIPT plank_hand(void)
  PHASE 0  # up, forward
    ACTIONS
      LIPOSE lElbow(-1.1, 150, 15).time(.2), lShoulder(angle(rShoulder) - .2, 170, 20).time(.25),
          lWrist(-1.1, 20, 3).time(.2);
    ENDACTIONS
    TRANSITION to(1).after(time .3);
  ENDPHASE
  PHASE 1  # down beside the other
    ACTIONS
      MATCH lShoulder.to(rShoulder, 250, 30).time(.2), lElbow.to(rElbow, 200, 25).time(.25),
          lWrist.to(rWrist, 20, 4).time(.25);
    ENDACTIONS
    TRANSITION to(-1).after(time .3 and contact lHand or time .7);
  ENDPHASE
ENDSCRIPT
