# Tips over backward from the stand: the toes push the body over its heels. Start of the rag doll.
BEGINSCRIPT tip(void)
  PHASE 0
    ACTIONS
      POSE rAnkle(.1), lAnkle(.1);
    ENDACTIONS
    TRANSITION to(-1).after(fallen < -.15);
  ENDPHASE
ENDSCRIPT
