# From the lunge to the stand: the rear leg pushes the body over the front foot, then the rear foot moves beside it.
BEGINSCRIPT lunge_to_stand(void)
  PHASE 0  # the trunk slightly forward
    ACTIONS
      LIPOSE waist(0.1977, 898.5, 30.58).time(0.3633), lTorso2uTorso(-0.1409, 747.3, 44.34).time(0.5133);
      LIPOSE rHip(-1.579, 308.1, 56.16).time(0.7591), rKnee(1.702, 419.3, 53.03).time(0.3634),
          rAnkle(-0.4011, 257.1, 51.07).time(0.508);
      LIPOSE lHip(-0.007628, 596.8, 55.43).time(0.481), lKnee(1.274, 506.2, 27.71).time(0.3634),
          lAnkle(-0.1446, 235.9, 24.43).time(0.508);
      LIPOSE bShoulder(-0.6268, 74.21, 10.31).time(0.4955);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3142);
  ENDPHASE
  PHASE 1  # the rear leg pushes the body over the front foot
    ACTIONS
      LIPOSE rHip(-1.596, 409.4, 50.31).time(0.6843), rKnee(1.572, 393.4, 65.12).time(0.5884),
          rAnkle(-0.3656, 239.4, 29.6).time(0.4693);
      LIPOSE lHip(0.2382, 445.6, 48.27).time(0.4121), lKnee(0.3265, 348.2, 39.62).time(0.3722),
          lAnkle(0.5374, 236.7, 46.13).time(0.2637);
    ENDACTIONS
    TRANSITION to(2).after(when com_x + .2 * com_vx > x(rFoot) - .04);
    TRANSITION to(2).after(time 0.8525);
  ENDPHASE
  PHASE 2  # up on the front leg, the rear one swings through
    ACTIONS
      LIPOSE rHip(-0.4254, 1042, 75.61).time(0.7239);
      LIPOSE waist(-0.05303, 830.5, 33.76).time(0.5793), lTorso2uTorso(-0.06635, 567.5, 48.91).time(0.4122);
      LIPOSE rKnee(0.3097, 510.1, 78.88).time(0.6063), rAnkle(-0.1656, 229, 29.88).time(0.4511);
      LIPOSE lHip(-0.06858, 292.8, 38.22).time(0.4425), lKnee(1.372, 255.1, 31.71).time(0.3597),
          lAnkle(-0.1241, 96.29, 12.38).time(0.2369);
      VFFB uTorso(1869, 449.5).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.525);
  ENDPHASE
  PHASE 3
    ACTIONS
      MATCH lHip.to(rHip).time(0.3969), lKnee.to(rKnee).time(0.3969), lAnkle.to(rAnkle).time(0.3969);
      LIPOSE rHip(0.01317, 378.4, 55.11).time(0.51), rKnee(-0.02082, 566.2, 54.94).time(0.4731),
          rShoulder(-0.05444, 83.89, 7.321).time(0.6244);
      LIPOSE lShoulder(-0.05444, 83.89, 7.321).time(0.6244);
      VFFB uTorso(1911, 373.4).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(4).after(time 0.5636);
  ENDPHASE
  PHASE 4
    > stand.t(.8, .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
