# A kick forward with the right leg from the stand: raise the knee, extend the shin, return, and put the foot down.
SCRIPTS feet_together.t;
BEGINSCRIPT kick(void)
  PHASE 0  # the weight over one foot, the other knee up
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10);
      LIPOSE waist(0, 600, 40).time(.4), lTorso2uTorso(0, 600, 40).time(.4);
      LIPOSE rHip(-1.3, 400, 40).time(.45), rKnee(1.9, 250, 25).time(.4), rAnkle(.1, 60, 8).time(.3);
      LIPOSE lHip(0, 400, 50).time(.3), lKnee(.05, 400, 50).time(.3), lAnkle(0, 300, 40).time(.3);
      LIPOSE lShoulder(-.6, 80, 10).time(.4), rShoulder(.4, 80, 10).time(.4), bElbow(-.8, 60, 8).time(.3);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time .7);
  ENDPHASE
  PHASE 1  # the kick
    ACTIONS
      LIPOSE rHip(-1.5 - 2 * slope(com_x), 400, 30).time(.12), rKnee(.1, 300, 15).time(.14), rAnkle(.5, 80, 8).time(.1);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(2).after(time .24);
  ENDPHASE
  PHASE 2  # the shin back
    ACTIONS
      LIPOSE rKnee(1.8, 250, 25).time(.25), rHip(-1.2, 400, 40).time(.25), rAnkle(0, 60, 8).time(.2);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(3).after(time .4);
  ENDPHASE
  PHASE 3  # the foot down beside the other
    ACTIONS
      LIPOSE rHip(0, 400, 40).time(.7), rKnee(.02, 300, 40).time(.7), rAnkle(0, 300, 40).time(.5);
      LIPOSE bShoulder(0, 80, 12).time(.7), bElbow(0, 60, 10).time(.6);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(4).after(time 1.2);
  ENDPHASE
  PHASE 4
    > feet_together();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
