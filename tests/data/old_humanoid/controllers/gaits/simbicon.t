# One cycle of a SIMBICON gait of four phases, right leg first (Yin, Loken, van de Panne 2007).
# Each leg swings for dt, then reaches for the ground until it touches it.
# Arguments: dt (s); cde, cdo and cve, cvo, the balance feedback's gains on the distance and the velocity of the
# centre of mass, early and late in the swing; tor, the trunk's lean; swhe, swho, the swing thigh; swke, swko and
# stke, stko, the swing and stance knee; ankle (rad).
BEGINSCRIPT simbicon(dt, cde, cdo, cve, cvo, tor, swhe, swho, swke, swko, stke, stko, ankle)
  PHASE 0  # right leg swings
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      POSE rKnee(swke), rAnkle(ankle);
      POSE lKnee(stke), lAnkle(ankle);
      POSE rShoulder(.3, 100, 30), rElbow(0, 100, 30);
      POSE lShoulder(-.3, 100, 30), lElbow(-.4, 100, 30);
      VPD uTorso(tor, 300, 30).joint(lHip);
      COMFB2 cde cve j lAnkle
      VPD rThigh(swhe, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time dt);
  ENDPHASE
  PHASE 1  # right foot comes down
    ACTIONS
      POSE rKnee(swko), lKnee(stko);
      VPD uTorso(tor, 300, 30).joint(lHip);
      COMFB2 cdo cvo j lAnkle
      VPD rThigh(swho, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2  # left leg swings
    ACTIONS
      POSE lKnee(swke);
      POSE rShoulder(-.3, 100, 30), lShoulder(.3, 100, 30);
      POSE rElbow(-.4, 100, 30), lElbow(0, 100, 30);
      VPD uTorso(tor, 300, 30).joint(rHip);
      COMFB2 cde cve j rAnkle
      VPD lThigh(swhe, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time dt);
  ENDPHASE
  PHASE 3  # left foot comes down
    ACTIONS
      POSE lKnee(swko), rKnee(stko);
      VPD uTorso(tor, 300, 30).joint(rHip);
      COMFB2 cdo cvo j rAnkle
      VPD lThigh(swho, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
  ENDPHASE
ENDSCRIPT
