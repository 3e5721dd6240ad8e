# One cycle of a SIMBICON gait of two phases, for running: each leg swings for dt.
# Arguments: as of simbicon.t, with one phase a leg; swa and sta are the swing and stance ankle.
BEGINSCRIPT simbicon_two_phase(dt, cde, cdo, cve, cvo, tor, swh, swk, stk, swa, sta)
  PHASE 0  # right leg swings
    ACTIONS
      POSE neck2head(0), waist(0), uTorso2neck(0), lTorso2uTorso(0);
      POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
      POSE rKnee(swk), rAnkle(swa), lKnee(stk), lAnkle(sta);
      POSE rShoulder(.1, 100, 30), rElbow(-1.7, 100, 30);
      POSE lShoulder(-.1, 100, 30), lElbow(-1.7, 100, 30);
      VPD uTorso(tor, 300, 30).joint(lHip);
      COMFB2 cde cve j lAnkle
      VPD rThigh(swh, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time dt);
  ENDPHASE
  PHASE 1  # left leg swings
    ACTIONS
      POSE lKnee(swk), rKnee(stk), lAnkle(swa), rAnkle(sta);
      POSE rShoulder(-.1, 100, 30), rElbow(-1.7, 100, 30);
      POSE lShoulder(.1, 100, 30), lElbow(-1.7, 100, 30);
      VPD uTorso(tor, 300, 30).joint(rHip);
      COMFB2 cdo cvo j rAnkle
      VPD lThigh(swh, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(time dt);
  ENDPHASE
ENDSCRIPT
