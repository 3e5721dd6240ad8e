# On hands and feet: the right foot steps up towards the hands. The left leg carries the body with the given joint angles (rad)
# until the foot has been off the ground for the given time (s).
BEGINSCRIPT foot_to_hand(hip, knee, ankle, off)
  PHASE 0  # lift the right foot
    ACTIONS
      LIPOSE rHip(-2.4, 524, 29).time(0.17), rKnee(2.5, 311, 20).time(0.12), rAnkle(-0.3, 64, 6).time(0.1);
      LIPOSE lHip(hip, 490, 49).time(0.17), lKnee(knee, 351, 44).time(0.23), lAnkle(ankle, 207, 25).time(0.19);
    ENDACTIONS
    TRANSITION to(1).after(time off);
  ENDPHASE
  PHASE 1  # put it down ahead
    ACTIONS
      LIPOSE rHip(-2.4, 450, 45).time(0.18), rKnee(1.5, 323, 28).time(0.2), rAnkle(-0.3, 150, 18).time(0.15);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.35);
  ENDPHASE
ENDSCRIPT
