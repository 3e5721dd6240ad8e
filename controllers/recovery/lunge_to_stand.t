# From the lunge to the stand: the rear leg pushes the body over the front foot, then the rear foot moves beside it.
BEGINSCRIPT lunge_to_stand(void)
  PHASE 0  # the trunk upright
    ACTIONS
      LIPOSE waist(-0.00302, 977.5, 27.52).time(0.1404), lTorso2uTorso(-0.0351, 628.3, 44.34).time(0.4566);
      LIPOSE rHip(-1.44, 308.1, 43).time(0.9313), rKnee(1.702, 617.7, 46.8).time(0.3634),
          rAnkle(-0.4011, 219.5, 51.07).time(0.5716);
      LIPOSE lHip(0.05661, 654.6, 55.43).time(0.2633), lKnee(0.9754, 506.2, 30.11).time(0.2929),
          lAnkle(-0.2811, 181.9, 23.81).time(0.508);
      LIPOSE bShoulder(-0.5361, 74.21, 10.31).time(0.4955);
    ENDACTIONS
    TRANSITION to(1).after(time 0.2766);
  ENDPHASE
  PHASE 1  # the rear leg pushes the body over the front foot
    ACTIONS
      LIPOSE rHip(-1.389, 398.8, 50.31).time(0.728), rKnee(1.572, 393.4, 65.12).time(0.6331),
          rAnkle(-0.381, 239.4, 29.6).time(0.3895);
      LIPOSE lHip(0.1803, 445.6, 48.36).time(0.2738), lKnee(0.3414, 348.2, 45).time(0.3512),
          lAnkle(0.4166, 201.2, 46.13).time(0.2637);
    ENDACTIONS
    TRANSITION to(2).after(when com_x + .2 * com_vx > x(rFoot) - .04);
    TRANSITION to(2).after(time 0.8598);
  ENDPHASE
  PHASE 2  # up on the front leg, the rear one swings through
    ACTIONS
      LIPOSE rHip(-0.4442, 871.1, 87.76).time(0.6122);
      LIPOSE waist(-0.2479, 950.4, 38.49).time(0.5151), lTorso2uTorso(0.09514, 567.5, 52.17).time(0.48);
      LIPOSE rKnee(0.5039, 488.8, 85.89).time(0.5763), rAnkle(-0.1455, 229, 29.88).time(0.4626);
      LIPOSE lHip(-0.03672, 234.4, 26.79).time(0.3291), lKnee(1.372, 255.1, 27.51).time(0.3829),
          lAnkle(-0.1212, 83.02, 12.37).time(0.2369);
      VFFB uTorso(1869, 431.8).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.68);
  ENDPHASE
  PHASE 3
    ACTIONS
      MATCH lHip.to(rHip).time(0.3969), lKnee.to(rKnee).time(0.3969), lAnkle.to(rAnkle).time(0.3969);
      LIPOSE rHip(0.01317, 427.1, 60.46).time(0.51), rKnee(0.04779, 503.3, 48.86).time(0.4731),
          rShoulder(-0.05444, 83.89, 7.056).time(0.6244);
      LIPOSE lShoulder(-0.175, 83.64, 6.648).time(0.6244);
      VFFB uTorso(1606, 436.5).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(4).after(time 0.5636);
  ENDPHASE
  PHASE 4
    > stand.t(.8, .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
