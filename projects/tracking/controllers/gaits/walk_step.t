# One step of the scripted walk: the right leg stands, the left one swings. Joint angles are functions of p, the distance of the
# centre of mass ahead of the stance foot (m): polynomials fitted to the tracked walk. The stance ankle controls the speed.
BEGINSCRIPT walk_step(p, v)
  PHASE 0
    ACTIONS
      POSE rHip((((120 * p - 7.1) * p - 8.2) * p + 1.74) * p - .182, 1000, 40);
      POSE rKnee((((-142 * p + 5.7) * p + 8.9) * p - .6) * p + .222, 1000, 40);
      POSE lHip(((81 * p + 6) * p - 5.2) * p - .617, 800, 30);
      POSE lKnee(((-68 * p - 14.5) * p + 3.9) * p + .975, 800, 30);
      POSE lAnkle(-.1 - orientation(lShin), 200, 10);
      POSE rAnkle(angle(rAnkle), 0, 5);
      VFSFB torso(120).by(rAnkle).speed(v);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(time .2 and contact lFoot and when x(lFoot) > x(rFoot) + .1);
    TRANSITION to(1).after(when p > .2);
  ENDPHASE
  PHASE 1  # until it touches the ground
    ACTIONS
      POSE rHip(.03, 1000, 40), rKnee(.25, 1000, 40);
      POSE lHip(-.59, 800, 30), lKnee(.42, 800, 30);
      POSE lAnkle(0 - orientation(lShin), 200, 10);
      VFSFB torso(120).by(rAnkle).speed(v);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(contact lFoot);
  ENDPHASE
ENDSCRIPT
