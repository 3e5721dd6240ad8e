# Passive joints: only the spring and the damper that each joint has in the XML of the source. Ends when everything is at
# rest.
# Arguments: kp (N m/rad), kd (N m s/rad), of the passive joints.
BEGINSCRIPT rag_doll(kp, kd)
  PHASE 0
    ACTIONS
      POSE rHip(0, kp, kd), lHip(0, kp, kd);
      POSE rKnee(0, kp, kd), lKnee(0, kp, kd);
      POSE rAnkle(0, kp, kd), lAnkle(0, kp, kd);
    ENDACTIONS
    TRANSITION to(1).after(time 1);
  ENDPHASE
  PHASE 1
    TRANSITION to(-1).after(stable .02);
  ENDPHASE
ENDSCRIPT
