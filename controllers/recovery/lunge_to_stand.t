# From the lunge up to the stand: the trunk leans over the front foot, the legs push, and the rear foot comes beside it.
BEGINSCRIPT lunge_to_stand(void)
  PHASE 0  # the trunk forward, the rear leg pushes
    ACTIONS
      LIPOSE waist(0.4225, 606.1, 39.31).time(0.3498), lTorso2uTorso(0.2532, 683.8, 47).time(0.3935);
      LIPOSE rHip(-1.735, 450.7, 48.22).time(0.4065), rKnee(1.657, 497.4, 44.3).time(0.3795),
          rAnkle(-0.3774, 241.1, 29.49).time(0.445);
      LIPOSE lHip(0.3037, 450.7, 48.22).time(0.4065), lKnee(0.9189, 405.8, 40.12).time(0.3795),
          lAnkle(-0.03855, 287.5, 25.1).time(0.445);
      LIPOSE bShoulder(-0.5749, 66.52, 12.76).time(0.4528);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3024);
  ENDPHASE
  PHASE 1  # over the front foot
    ACTIONS
      LIPOSE rHip(-1.53, 431.3, 57.87).time(0.4221), rKnee(1.424, 554.6, 55.26).time(0.4197),
          rAnkle(-0.3848, 295, 32.22).time(0.4434);
      LIPOSE lHip(0.3627, 431.3, 57.87).time(0.3836), lKnee(0.3609, 422.3, 42.6).time(0.4182),
          lAnkle(0.5122, 367.6, 27.74).time(0.2916);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4231);
  ENDPHASE
  PHASE 2  # up on the front leg, the rear one swings through
    ACTIONS
      LIPOSE waist(0.1694, 586.8, 49.59).time(0.5248), lTorso2uTorso(0.0878, 656.9, 55.24).time(0.5676);
      LIPOSE rHip(-0.3852, 707.9, 62.31).time(0.6678), rKnee(0.4019, 618.6, 59.48).time(0.5558),
          rAnkle(-0.08488, 276.4, 35.7).time(0.3567);
      LIPOSE lHip(-0.1708, 295.4, 36.25).time(0.316), lKnee(1.206, 256.3, 28.82).time(0.2968),
          lAnkle(-0.2163, 96.55, 15.54).time(0.259);
      VFFB uTorso(1451, 345.8).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.5457);
  ENDPHASE
  PHASE 3
    ACTIONS
      MATCH lHip.to(rHip).time(0.4767), lKnee.to(rKnee).time(0.4767), lAnkle.to(rAnkle).time(0.4767);
      LIPOSE rHip(-0.03467, 522.5, 53.96).time(0.5194), rKnee(0.1606, 511.6, 56.25).time(0.4832),
          rShoulder(0.03431, 64.18, 7.719).time(0.4719);
      LIPOSE lShoulder(0.03431, 64.18, 7.719).time(0.4719);
      VFFB uTorso(1800, 323.4).by(rAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(4).after(time 0.4554);
  ENDPHASE
  PHASE 4
    > stand.t(.8, .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
