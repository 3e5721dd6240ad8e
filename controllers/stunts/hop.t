# A hop forward with both feet, from the stand and back to it.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT hop(void)
  PHASE 1  # bring the arms up
    ACTIONS
      POSE rElbow(-1.774), lElbow(-1.774);
      POSE rHip(0.2034, 1777, 129.9), lHip(0.2034, 1777, 129.9);
      POSE rKnee(0.2733, 370.7, 74.88), lKnee(0.2733, 370.7, 74.88);
      POSE rAnkle(-0.1866, 2440, 174.4), lAnkle(-0.1866, 2440, 174.4);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3555);
  ENDPHASE
  PHASE 2  # lean forward
    ACTIONS
      POSE rElbow(-0.6378, 31.52, 17.85), lElbow(-0.6378, 31.52, 17.85);
      POSE rShoulder(-0.205, 197.3, 49.81), lShoulder(-0.205, 197.3, 49.81);
      POSE rHip(-0.6562, 111.8, 31.51), lHip(-0.6562, 111.8, 31.51);
      POSE rKnee(0.648, 108, 27.24), lKnee(0.648, 108, 27.24);
      POSE rAnkle(-1.384, 106.1, 76.87), lAnkle(-1.384, 106.1, 76.87);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2214);
  ENDPHASE
  PHASE 3  # bend the knees
    ACTIONS
      POSE rHip(-0.7096, 129.1, 64.33), lHip(-0.7096, 129.1, 64.33);
      POSE rKnee(0.9784, 212.9, 19.38), lKnee(0.9784, 212.9, 19.38);
      POSE rAnkle(-0.8301, 88.16, 6.907), lAnkle(-0.8301, 88.16, 6.907);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1609);
  ENDPHASE
  PHASE 4  # jump
    ACTIONS
      POSE rShoulder(-0.6198, 82.74, 27.41), lShoulder(-0.6198, 82.74, 27.41);
      VPD uTorso(1.015, 332.4, 74.09).joint(lHip);
      VPD uTorso(1.015, 332.4, 74.09).joint(rHip);
      VF (-173.3, -1604, -19.73).on(rFoot).by(rHip);
      VF (-173.3, -1604, -19.73).on(lFoot).by(lHip);
      POSE rAnkle(0.1804), lAnkle(0.1804);
    ENDACTIONS
    TRANSITION to(5).after(nocontact rFoot);
  ENDPHASE
  PHASE 5  # in the air
    ACTIONS
      POSE rHip(-0.7372, 588.6, 185.4), lHip(-0.7372, 588.6, 185.4);
      POSE rKnee(0.5467, 1251, 89.63), lKnee(0.5467, 1251, 89.63);
      POSE rAnkle(-0.1361), lAnkle(-0.1361);
      POSE rShoulder(-0.8582, 105.5, 23.92), lShoulder(-0.8582, 105.5, 23.92);
    ENDACTIONS
    TRANSITION to(7).after(contact rFoot);
  ENDPHASE
  PHASE 7  # land and stand
    > stand.t(0.9583, 0.8293);
    TRANSITION to(-1).after(fallen x 0.6126);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
