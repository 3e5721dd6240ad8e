# Lies on the belly, or goes down there after a fall: the arms catch the ground and flex, then the hands move beside the chest,
# until everything is at rest.
BEGINSCRIPT prone(void)
  PHASE 0  # lying on the belly with the hands beside the chest, or lying or falling otherwise; any other pose crouches first
    TRANSITION to(3).after(anglerange 1.2 2 and when com_height < .2 and when angle(bShoulder) > 0 and when angle(bElbow) < -1.4);
    TRANSITION to(1).after(anglerange -1.3 1.2);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 1  # still upright: crouch over the knees, hands forward
    ACTIONS
      LIPOSE neck2head(-.3, 60, 10).time(.3), uTorso2neck(-.3, 60, 10).time(.3);
      LIPOSE waist(.4, 600, 60).time(.4), lTorso2uTorso(.3, 600, 60).time(.4);
      LIPOSE bHip(-2.1, 400, 50).time(.5);
      LIPOSE bKnee(2.2, 300, 40).time(.5);
      LIPOSE bAnkle(.3, 100, 20).time(.5);
      LIPOSE bShoulder(-1.4, 200, 30).time(.4);
      LIPOSE bElbow(-.4, 150, 25).time(.4);
      LIPOSE bWrist(-1., 20, 4).time(.4);
    ENDACTIONS
    TRANSITION to(2).after(time 1.);
  ENDPHASE
  PHASE 2  # the arms catch the ground, the body stretches
    ACTIONS
      LIPOSE neck2head(-.4, 60, 10).time(.3), uTorso2neck(-.4, 60, 10).time(.3);
      LIPOSE waist(0, 600, 60).time(.6), lTorso2uTorso(0, 600, 60).time(.6);
      LIPOSE bHip(-.1, 250, 45).time(.8);
      LIPOSE bKnee(.2, 150, 35).time(.8);
      LIPOSE bAnkle(.9, 30, 8).time(.5);
      LIPOSE bShoulder(-.9, 150, 35).time(.6);
      LIPOSE bElbow(-1.6, 120, 30).time(.6);
      LIPOSE bWrist(-1.2, 20, 4).time(.4);
    ENDACTIONS
    TRANSITION to(3).after(time .9);
  ENDPHASE
  PHASE 3  # hands beside the chest
    ACTIONS
      LIPOSE neck2head(-.2, 60, 10).time(.5), uTorso2neck(-.2, 60, 10).time(.5);
      LIPOSE bHip(0, 300, 50).time(.6);
      LIPOSE bKnee(0, 150, 35).time(.6);
      LIPOSE bShoulder(.4, 100, 25).time(.8);
      LIPOSE bElbow(-2.2, 100, 25).time(.6);
      LIPOSE bWrist(-1.3, 15, 3).time(.5);
    ENDACTIONS
    TRANSITION to(4).after(time 1.);
  ENDPHASE
  PHASE 4
    TRANSITION to(1).after(anglerange -1.3 1.3);  # the trunk is up, over a leg ahead of it: crouch first
    TRANSITION to(5).after(when angle(rShoulder) < 0 or when angle(lShoulder) < 0 or when angle(rElbow) > -1.4 or when angle(lElbow) > -1.4 or when angle(rWrist) > 0 or when angle(lWrist) > 0);
    TRANSITION to(6).after(when angle(rShoulder) > .5 or when angle(lShoulder) > .5);
    TRANSITION to(-1).after(stable .03);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
  PHASE 5  # an arm is under the body, or on the back of its hand: both up behind the back, then folded again
    ACTIONS
      LIPOSE bShoulder(1.05, 250, 35).time(.5);
      LIPOSE bElbow(-.2, 150, 25).time(.5);
      LIPOSE bWrist(-1.4, 20, 4).time(.4);
    ENDACTIONS
    TRANSITION to(9).after(time .8);
  ENDPHASE
  PHASE 9
    ACTIONS
      LIPOSE bElbow(-2.4, 150, 25).time(.5);
    ENDACTIONS
    TRANSITION to(3).after(time .6);
  ENDPHASE
  PHASE 6  # the hands are beside the waist: lift them and move them forward
    ACTIONS
      LIPOSE bShoulder(.95, 200, 25).time(.3);
      LIPOSE bElbow(-2.6, 150, 20).time(.3);
    ENDACTIONS
    TRANSITION to(7).after(time .4);
  ENDPHASE
  PHASE 7
    ACTIONS
      LIPOSE bShoulder(.3, 150, 25).time(.4);
      LIPOSE bElbow(-2.4, 150, 25).time(.4);
    ENDACTIONS
    TRANSITION to(8).after(time .6);
  ENDPHASE
  PHASE 8
    TRANSITION to(-1).after(stable .03);
    TRANSITION to(-1).after(time 2);
  ENDPHASE
ENDSCRIPT
