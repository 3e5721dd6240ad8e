# A hop forward with both feet, from the stand and back to it.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT hop(void)
  PHASE 1  # bring the arms up
    ACTIONS
      POSE rElbow(-1.859), lElbow(-1.859);
      POSE rHip(0.28, 1946.0, 152.5), lHip(0.28, 1946.0, 152.5);
      POSE rKnee(0.258, 363.0, 76.2), lKnee(0.258, 363.0, 76.2);
      POSE rAnkle(-0.1645, 2871.0, 166.4), lAnkle(-0.1645, 2871.0, 166.4);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3273);
  ENDPHASE
  PHASE 2  # lean forward
    ACTIONS
      POSE rElbow(-0.6203, 37.21, 18.54), lElbow(-0.6203, 37.21, 18.54);
      POSE rShoulder(-0.2181, 201.2, 48.96), lShoulder(-0.2181, 201.2, 48.96);
      POSE rHip(-0.7386, 112.9, 33.84), lHip(-0.7386, 112.9, 33.84);
      POSE rKnee(0.5816, 117.2, 26.85), lKnee(0.5816, 117.2, 26.85);
      POSE rAnkle(-1.442, 102.6, 69.64), lAnkle(-1.442, 102.6, 69.64);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2149);
  ENDPHASE
  PHASE 3  # bend the knees
    ACTIONS
      POSE rHip(-0.8382, 113.7, 72.5), lHip(-0.8382, 113.7, 72.5);
      POSE rKnee(0.8329, 229.6, 16.63), lKnee(0.8329, 229.6, 16.63);
      POSE rAnkle(-0.9167, 101.3, 6.976), lAnkle(-0.9167, 101.3, 6.976);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1552);
  ENDPHASE
  PHASE 4  # jump
    ACTIONS
      POSE rShoulder(-0.5344, 92.72, 27.17), lShoulder(-0.5344, 92.72, 27.17);
      VPD uTorso(1.018, 316.8, 83.2).joint(lHip);
      VPD uTorso(1.018, 316.8, 83.2).joint(rHip);
      VF (-169.3, -1715.0, -11.99).on(rFoot).by(rHip);
      VF (-169.3, -1715.0, -11.99).on(lFoot).by(lHip);
      POSE rAnkle(0.1943), lAnkle(0.1943);
    ENDACTIONS
    TRANSITION to(5).after(nocontact rFoot);
  ENDPHASE
  PHASE 5  # in the air
    ACTIONS
      POSE rHip(-0.6762, 617.8, 201.6), lHip(-0.6762, 617.8, 201.6);
      POSE rKnee(0.5689, 1290.0, 85.64), lKnee(0.5689, 1290.0, 85.64);
      POSE rAnkle(-0.1987), lAnkle(-0.1987);
      POSE rShoulder(-0.8915, 108.8, 23.98), lShoulder(-0.8915, 108.8, 23.98);
      POSEFB rHip(0.04901, -0.1455).on(part rFoot), lHip(0.04901, -0.1455).on(part lFoot);
    ENDACTIONS
    TRANSITION to(6).after(contact rFoot);
  ENDPHASE
  PHASE 6  # take up the landing with the knees, over the feet
    ACTIONS
      LIPOSE rHip(-0.7242, 513.3, 77.86).time(0.1499), lHip(-0.7242, 513.3, 77.86).time(0.1499);
      LIPOSE rKnee(0.9747, 569.8, 77.61).time(0.1562), lKnee(0.9747, 569.8, 77.61).time(0.1562);
      LIPOSE rAnkle(-0.2929, 341.6, 56.12).time(0.1589), lAnkle(-0.2929, 341.6, 56.12).time(0.1589);
      VFFB uTorso(1842.0, 346.2).by(rAnkle).over(cop);
      VFFB uTorso(1842.0, 346.2).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(7).after(time 0.3812);
  ENDPHASE
  PHASE 7  # land and stand
    > stand.t(0.8934, 0.9083);
    TRANSITION to(-1).after(fallen x 0.752);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
