# One cycle of a SIMBICON gait of four phases, right leg first (Yin, Loken, van de Panne 2007).
# Each leg swings for dt, then reaches for the ground until it touches it.
# Arguments: dt (s); cde, cdo and cve, cvo, the balance feedback's gains on the distance and the velocity of the
# centre of mass, early and late in the swing; tor, the trunk's lean; swhe, swho, the swing thigh; swke, swko and
# stke, stko, the swing and stance knee; swa, sta, the swing and stance ankle (rad).
BEGINSCRIPT simbicon(dt, cde, cdo, cve, cvo, tor, swhe, swho, swke, swko, stke, stko, swa, sta)
  PHASE 0  # right leg swings
    ACTIONS
      POSE rKnee(swke), rAnkle(swa);
      POSE lKnee(stke), lAnkle(sta);
      VPD torso(tor, 600, 60).joint(lHip);
      COMFB2 cde cve j lAnkle
      VPD rThigh(swhe, -400, -40).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(1).after(time dt);
  ENDPHASE
  PHASE 1  # right foot comes down
    ACTIONS
      POSE rKnee(swko), lKnee(stko);
      VPD torso(tor, 600, 60).joint(lHip);
      COMFB2 cdo cvo j lAnkle
      VPD rThigh(swho, -400, -40).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # left leg swings
    ACTIONS
      POSE lKnee(swke), lAnkle(swa);
      POSE rKnee(stke), rAnkle(sta);
      VPD torso(tor, 600, 60).joint(rHip);
      COMFB2 cde cve j rAnkle
      VPD lThigh(swhe, -400, -40).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(3).after(time dt);
  ENDPHASE
  PHASE 3  # left foot comes down
    ACTIONS
      POSE lKnee(swko), rKnee(stko);
      VPD torso(tor, 600, 60).joint(rHip);
      COMFB2 cdo cvo j rAnkle
      VPD lThigh(swho, -400, -40).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(contact lFoot);
  ENDPHASE
ENDSCRIPT
