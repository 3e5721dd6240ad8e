# Balances on the left leg with the right knee raised for `hold` (s), then puts the foot down, feet side by side.
SCRIPTS feet_together.t;
BEGINSCRIPT one_leg_stand(hold)
  PHASE 0
    ACTIONS
      LIPOSE rHip(-1.4, 600, 60).time(.8), rKnee(1.6).time(.8), rAnkle(0).time(.8);
      VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time 1);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(2).after(time hold);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rHip(0).time(1), rKnee(0).time(1), rAnkle(0).time(1);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(3).after(time 1.2);
  ENDPHASE
  PHASE 3
    > feet_together();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
