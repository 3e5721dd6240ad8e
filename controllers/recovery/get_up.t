# From hands and knees to the squat: the toes tucked, the hips back over the heels, the hands push off, the feet come flat.
BEGINSCRIPT get_up(void)
  PHASE 0  # tuck the toes, the hands nearer to the knees
    ACTIONS
      LIPOSE bAnkle(-0.75, 276.1, 22.13).time(0.2021);
      LIPOSE bHip(-2.182, 631.9, 42.18).time(0.4198);
      LIPOSE bKnee(2.451, 141.8, 6.428).time(0.03634);
      LIPOSE waist(0.8, 747.9, 54.77).time(0.1721), lTorso2uTorso(0.225, 396.6, 24.9).time(0.4147);
      LIPOSE bShoulder(-1.451, 420.1, 58.32).time(0.6381);
    ENDACTIONS
    TRANSITION to(1).after(time 0.7343);
  ENDPHASE
  PHASE 1  # lift the knees, push back with the hands
    ACTIONS
      LIPOSE bHip(-2.388, 404.3, 8.077).time(0.1701);
      LIPOSE bKnee(2.092, 257.2, 39.33).time(0.2111);
      LIPOSE bAnkle(-0.5174, 187.6, 28.09).time(0.4844);
      LIPOSE bShoulder(-2.146, 586.1, 47.75).time(0.4075);
      LIPOSE bElbow(-0.03324, 224.5, 42.45).time(0.2885);
    ENDACTIONS
    TRANSITION to(2).after(time 1.026);
  ENDPHASE
  PHASE 2  # onto the feet
    ACTIONS
      LIPOSE waist(-0.1543, 644.2, 64.84).time(0.02496), lTorso2uTorso(0.1876, 386.9, 23.9).time(0.4323);
      LIPOSE bHip(-2.393, 468.9, 87.74).time(0.3732);
      LIPOSE bKnee(2.373, 229.5, 64.14).time(0.4327);
      LIPOSE bAnkle(-0.75, 194.5, 40.54).time(0.2154);
      LIPOSE bShoulder(-1.687, 225.7, 30.42).time(0.1334);
      LIPOSE bElbow(0.003504, 108.2, 20.3).time(0.3164), bWrist(0.2496, 9.562, 5.324).time(0.4111);
      VFFB uTorso(390.7, 348.2).by(rAnkle).over(part rFoot);
      VFFB uTorso(390.7, 348.2).by(lAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.3461);
  ENDPHASE
  PHASE 3
    ACTIONS
      LIPOSE waist(0.3166, 386.2, 39.23).time(0.2459), lTorso2uTorso(-0.2232, 716, 35.54).time(1.038);
      LIPOSE bHip(-2.01, 1, 87.55).time(0.745);
      LIPOSE bKnee(2.309, 213.5, 35.45).time(1.306);
      LIPOSE bAnkle(-0.75, 222.2, 56.22).time(0.2124);
      VFFB uTorso(2429, 364.7).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.02);
  ENDPHASE
ENDSCRIPT
