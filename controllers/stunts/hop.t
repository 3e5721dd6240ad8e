# A hop forward with both feet, from the stand and back to it.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT hop(void)
  PHASE 1 # bring the arms up
    ACTIONS
      POSE rElbow(-1.73), lElbow(-1.73);
      POSE rHip(.31, 1430, 95.2), lHip(.31, 1430, 95.2);
      POSE rKnee(.364, 444, 78.7), lKnee(.364, 444, 78.7);
      POSE rAnkle(-.243, 2870, 149), lAnkle(-.243, 2870, 149);
    ENDACTIONS
    TRANSITION to(2).after(time .404);
  ENDPHASE
  PHASE 2 # lean forward
    ACTIONS
      POSE rElbow(-.634, 43, 22), lElbow(-.634, 43, 22);
      POSE rShoulder(-.341, 150, 48.6), lShoulder(-.341, 150, 48.6);
      POSE rHip(-.632, 104, 30.5), lHip(-.632, 104, 30.5);
      POSE rKnee(.601, 112, 22.4), lKnee(.601, 112, 22.4);
      POSE rAnkle(-1.4, 90.7, 78.3), lAnkle(-1.4, 90.7, 78.3);
    ENDACTIONS
    TRANSITION to(3).after(time .209);
  ENDPHASE
  PHASE 3 # bend the knees
    ACTIONS
      POSE rHip(-.965, 140, 48.5), lHip(-.965, 140, 48.5);
      POSE rKnee(.975, 150, 19.6), lKnee(.975, 150, 19.6);
      POSE rAnkle(-.802, 62.8, 8.69), lAnkle(-.802, 62.8, 8.69);
    ENDACTIONS
    TRANSITION to(4).after(time .156);
  ENDPHASE
  PHASE 4 # jump
    ACTIONS
      POSE rShoulder(-.686, 101, 26.4), lShoulder(-.686, 101, 26.4);
      VPD uTorso(1.09, 263, 64.2).joint(lHip);
      VPD uTorso(1.09, 263, 64.2).joint(rHip);
      VF (-122, -1870, 0).on(rFoot).by(rHip);
      VF (-122, -1870, 0).on(lFoot).by(lHip);
      POSE rAnkle(.145), lAnkle(.145);
    ENDACTIONS
    TRANSITION to(5).after(nocontact rFoot);
  ENDPHASE
  PHASE 5 # in the air
    ACTIONS
      POSE rHip(-.734, 554, 215), lHip(-.734, 554, 215);
      POSE rKnee(.564, 1430, 90.2), lKnee(.564, 1430, 90.2);
      POSE rAnkle(-.0807), lAnkle(-.0807);
      POSE rShoulder(-.882, 109, 19.7), lShoulder(-.882, 109, 19.7);
    ENDACTIONS
    TRANSITION to(7).after(contact rFoot);
  ENDPHASE
  PHASE 7 # land and stand
    > stand.t(1, 1);
    TRANSITION to(-1).after(fallen x .6);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
