# From the squat to sitting on the ground: the hands reach back, the seat lowers behind the heels, the legs move forward.
BEGINSCRIPT sit_down(void)
  PHASE 0  # arms back, lean back
    ACTIONS
      LIPOSE bShoulder(1.015 + slope(com_x) * (-0.807 + 9.1 * slope(com_x)), 157.3, 23.53).time(0.3457), bElbow(-0.1409, 115.9, 19.1).time(0.267),
          bWrist(-1.186, 34.45, 3.272).time(0.177);
      LIPOSE bHip(-2.334 + slope(com_x) * (-0.569 + 4.33 * slope(com_x)), 215.5, 47.47).time(0.6414);
      LIPOSE bKnee(2.348, 121.3, 52.92).time(0.853);
      LIPOSE bAnkle(-0.259 + slope(com_x) * (-1.3 + 4.12 * slope(com_x)), 60.02, 17.6).time(0.3346);
      LIPOSE waist(0.6365 + slope(com_x) * (1.32 + 3.73 * slope(com_x)), 447.6, 68.19).time(0.8285), lTorso2uTorso(0.1529, 523.3, 67.12).time(0.695);
    ENDACTIONS
    TRANSITION to(1).after(contact pelvis);
    TRANSITION to(1).after(time 2.611);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE bHip(-1.782 + slope(com_x) * (-1.45 + -4.2 * slope(com_x)), 375, 61.69).time(0.8022), bKnee(1.116 + slope(com_x) * (1.06 + -6.56 * slope(com_x)), 162.8, 11.64).time(0.7707),
          bAnkle(0.2538, 23.73, 9.908).time(0.6427);
      LIPOSE waist(0.2511 + slope(com_x) * (0.413 + 3.61 * slope(com_x)), 723.3, 38.07).time(1.02), lTorso2uTorso(-0.009781, 653.2, 63.72).time(0.6793);
      LIPOSE bShoulder(-0.5038, 29.95, 22.76).time(1.351), bElbow(-0.2352, 53.49, 16.08).time(0.2853),
          bWrist(-0.1386, 7.267, 4.413).time(0.72);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.691);
  ENDPHASE
ENDSCRIPT
