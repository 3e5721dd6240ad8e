# A hop forward with both feet, from the stand and back to it.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT hop(void)
  PHASE 1  # bring the arms up
    ACTIONS
      POSE rElbow(-1.828), lElbow(-1.828);
      POSE rHip(0.2028, 1995, 140.5), lHip(0.2028, 1995, 140.5);
      POSE rKnee(0.2776, 369.5, 81.06), lKnee(0.2776, 369.5, 81.06);
      POSE rAnkle(-0.1634, 2608, 179.1), lAnkle(-0.1634, 2608, 179.1);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3505);
  ENDPHASE
  PHASE 2  # lean forward
    ACTIONS
      POSE rElbow(-0.6569, 35.97, 19.06), lElbow(-0.6569, 35.97, 19.06);
      POSE rShoulder(-0.1931, 204.9, 49.29), lShoulder(-0.1931, 204.9, 49.29);
      POSE rHip(-0.6682, 103.6, 35.4), lHip(-0.6682, 103.6, 35.4);
      POSE rKnee(0.6049, 112, 26.87), lKnee(0.6049, 112, 26.87);
      POSE rAnkle(-1.388, 105.9, 70.14), lAnkle(-1.388, 105.9, 70.14);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2266);
  ENDPHASE
  PHASE 3  # bend the knees
    ACTIONS
      POSE rHip(-0.7121, 122.4, 67.92), lHip(-0.7121, 122.4, 67.92);
      POSE rKnee(0.8462, 206.6, 18.45), lKnee(0.8462, 206.6, 18.45);
      POSE rAnkle(-0.8008, 91.15, 6.878), lAnkle(-0.8008, 91.15, 6.878);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1534);
  ENDPHASE
  PHASE 4  # jump
    ACTIONS
      POSE rShoulder(-0.6085, 84.02, 24.74), lShoulder(-0.6085, 84.02, 24.74);
      VPD uTorso(1.055, 339.5, 78.32).joint(lHip);
      VPD uTorso(1.055, 339.5, 78.32).joint(rHip);
      VF (-185.4, -1605, -8.816).on(rFoot).by(rHip);
      VF (-185.4, -1605, -8.816).on(lFoot).by(lHip);
      POSE rAnkle(0.208), lAnkle(0.208);
    ENDACTIONS
    TRANSITION to(5).after(nocontact rFoot);
  ENDPHASE
  PHASE 5  # in the air
    ACTIONS
      POSE rHip(-0.7387, 584.4, 183), lHip(-0.7387, 584.4, 183);
      POSE rKnee(0.6005, 1371, 80.52), lKnee(0.6005, 1371, 80.52);
      POSE rAnkle(-0.1478), lAnkle(-0.1478);
      POSE rShoulder(-0.9044, 102.4, 23.61), lShoulder(-0.9044, 102.4, 23.61);
      POSEFB rHip(0.01121, -0.105).on(part rFoot), lHip(0.01121, -0.105).on(part lFoot);
    ENDACTIONS
    TRANSITION to(6).after(contact rFoot);
  ENDPHASE
  PHASE 6  # take up the landing with the knees, over the feet
    ACTIONS
      LIPOSE rHip(-0.7958, 608.8, 82.08).time(0.1563), lHip(-0.7958, 608.8, 82.08).time(0.1563);
      LIPOSE rKnee(0.9931, 634.2, 86.04).time(0.1509), lKnee(0.9931, 634.2, 86.04).time(0.1509);
      LIPOSE rAnkle(-0.2631, 360.8, 54.96).time(0.1431), lAnkle(-0.2631, 360.8, 54.96).time(0.1431);
      VFFB uTorso(2030, 313.5).by(rAnkle).over(cop);
      VFFB uTorso(2030, 313.5).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(7).after(time 0.3928);
  ENDPHASE
  PHASE 7  # land and stand
    > stand.t(0.8542, 0.9382);
    TRANSITION to(-1).after(fallen x 0.7767);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
