# One cycle of crawling on hands and knees, about 0.45 m/s; each half ends when the leading hand comes down.
# Argument: dt, the time in which a knee and the hand of the other side go forward (s).
BEGINSCRIPT crawl(dt)
  PHASE 0
    ACTIONS
      POSE neck2head(-1.0, 1025, 86.79), waist(-.3, 1225, 73.36),
          uTorso2neck(-0.05792, 731.3, 114.2), lTorso2uTorso(-0.008409, 845.4, 85.48);
      POSE rHip(-2.222, 973, 101.2), lHip(-1.815, 981.9, 119.9);
      POSE rKnee(1.888, 898.6, 104.7), lKnee(1.758, 1119, 90.96);
      POSE rAnkle(0.9305, 314.8, 43.39), lAnkle(0.9866, 297.7, 51.27);
      POSE rShoulder(-1.018, 714, 113.5), lShoulder(-0.6753, 881.4, 98.16);
      POSE rElbow(-0.8128, 1140, 103.6), lElbow(-1.781, 1229, 83.47);
      POSE rWrist(-0.9008, 110.8, 10.37), lWrist(-0.5379, 87.92, 8.879);
    ENDACTIONS
    TRANSITION to(1).after(time dt);
  ENDPHASE
  PHASE 1
    ACTIONS
      POSE rHip(-2.096, 993.1, 76.62), lHip(-1.377, 875.4, 103.7);
      POSE rKnee(2.083, 837.4, 105.1), lKnee(1.166, 1277, 105.6);
      POSE rAnkle(0.9999, 324.2, 48.93), lAnkle(1.117, 336.8, 41.71);
      POSE rShoulder(-0.4201, 1048, 124.7), lShoulder(-1.722, 1141, 108.8);
      POSE rElbow(-0.8615, 969.8, 116.5), lElbow(-0.6949, 1049, 104.1);
      POSE rWrist(-0.8997, 92.81, 10.87), lWrist(-0.6216, 91.46, 10.11);
    ENDACTIONS
    TRANSITION to(2).after(contact lHand);
    TRANSITION to(2).after(time 0.3899);
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE rHip(-1.751, 1050, 92.49), lHip(-2.319, 932.8, 98.59);
      POSE rKnee(1.468, 1089, 112.1), lKnee(2.177, 1168, 82.01);
      POSE rAnkle(1.046, 260.7, 51.3), lAnkle(0.9871, 251.3, 39.88);
      POSE rShoulder(-0.7983, 1098, 102.4), lShoulder(-1.024, 840.4, 89.31);
      POSE rElbow(-1.61, 1145, 87.9), lElbow(-0.381, 1033, 105.6);
      POSE rWrist(-0.2412, 113.8, 9.545), lWrist(-1.211, 91.55, 12.04);
    ENDACTIONS
    TRANSITION to(3).after(time dt);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE rHip(-1.427, 946.2, 96.41), lHip(-2.108, 982.5, 101.6);
      POSE rKnee(1.257, 882.8, 120.1), lKnee(1.877, 1062, 104.8);
      POSE rAnkle(1.076, 316.3, 50.5), lAnkle(1.098, 326.5, 42.56);
      POSE rShoulder(-1.591, 1158, 102.7), lShoulder(-0.5589, 1045, 118.1);
      POSE rElbow(-0.6854, 1055, 118.6), lElbow(-0.9439, 910.5, 89.15);
      POSE rWrist(-0.696, 112.4, 9.345), lWrist(-1.257, 106, 10.95);
    ENDACTIONS
    TRANSITION to(-1).after(contact rHand);
    TRANSITION to(-1).after(time 0.4204);
  ENDPHASE
ENDSCRIPT
