# Lets all joints go but for a weak spring and a damper, until everything is at rest.
# Arguments: kp (N m/rad), kd (N m s/rad); rest, what counts as rest (rad/s, m/s).
BEGINSCRIPT limp(kp, kd, rest)
  PHASE 0  # whoever stands still at first is not at rest yet
    ACTIONS
      POSE rHip(0, kp, kd), lHip(0, kp, kd);
      POSE rKnee(0, kp, kd), lKnee(0, kp, kd);
      POSE rAnkle(0, kp, kd), lAnkle(0, kp, kd);
    ENDACTIONS
    TRANSITION to(1).after(fallen x 1);
  ENDPHASE
  PHASE 1
    TRANSITION to(-1).after(stable rest);
  ENDPHASE
ENDSCRIPT
