# From the plank: the legs are drawn in through the air, the feet land near the hands, the hands push off, up into a squat.
BEGINSCRIPT burpee_up(void)
  PHASE 0  # lower the seat, to push off with the toes
    ACTIONS
      LIPOSE bHip(-0.3073, 636.6, 74.98).time(0.297);
      LIPOSE bKnee(0.4641, 638.4, 42.45).time(0.2135);
      LIPOSE bAnkle(-0.4222, 160.9, 17.52).time(0.16);
      LIPOSE bShoulder(-1.404, 540.7, 80.5).time(0.241);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3384);
  ENDPHASE
  PHASE 1  # push off; on a descent the trunk flexes less, or the feet land too far ahead
    ACTIONS
      LIPOSE waist(0.2183 + 2 * slope(com_x), 1089.0, 70.32).time(0.1904), lTorso2uTorso(0.065 + 3 * slope(com_x), 1229.0, 31.15).time(0.1524);
      LIPOSE bHip(-1.236 + 2 * slope(com_x), 847.2, 29.56).time(0.1953);
      LIPOSE bKnee(0.1553, 681.2, 22.55).time(0.1586);
      LIPOSE bAnkle(0.4466, 260.8, 10.25).time(0.1727);
      LIPOSE bShoulder(-1.565, 623.2, 32.5).time(0.2663);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2456);
  ENDPHASE
  PHASE 2  # the legs drawn up
    ACTIONS
      LIPOSE waist(0.451, 685.8, 46.09).time(0.2749), lTorso2uTorso(0.2777, 1105.0, 29.74).time(0.06674);
      LIPOSE bHip(-2.384, 857.8, 42.21).time(0.1591);
      LIPOSE bKnee(1.952, 475.8, 22.14).time(0.07459);
      LIPOSE bAnkle(-0.1644, 190.1, 12.59).time(0.1922);
      LIPOSE bShoulder(-1.651, 472.4, 55.88).time(0.2091);
    ENDACTIONS
    TRANSITION to(3).after((contact rFoot or contact lFoot) and time 0.1679);
    TRANSITION to(3).after(time 0.394);
  ENDPHASE
  PHASE 3  # land on the feet, lift the hands
    ACTIONS
      LIPOSE bHip(-2.2, 248.9, 58.02).time(0.2122);
      LIPOSE bKnee(2.202, 262.6, 40.03).time(0.24);
      LIPOSE bAnkle(-0.4372, 217.4, 31.62).time(0.1892);
      LIPOSE bShoulder(-2.063, 617.3, 45.52).time(0.3798);
      LIPOSE bElbow(0.02281, 279.2, 56.82).time(0.1988);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1343);
  ENDPHASE
  PHASE 4  # the weight onto the feet
    ACTIONS
      LIPOSE waist(-0.06114, 563.2, 76.01).time(0.2642), lTorso2uTorso(0.266, 641.4, 27.1).time(0.5785);
      LIPOSE bHip(-2.435, 684.6, 63.35).time(0.3242);
      LIPOSE bKnee(2.511, 318.8, 36.3).time(0.4225);
      LIPOSE bAnkle(-0.765, 209.6, 28.09).time(0.2276);
      LIPOSE bShoulder(-1.971, 255.7, 33.3).time(0.2211);
      LIPOSE bElbow(-0.06088, 122.8, 20.27).time(0.4732), bWrist(-0.02282, 9.163, 5.211).time(0.4336);
      VFFB uTorso(531.1, 306.0).by(rAnkle).over(part rFoot);
      VFFB uTorso(531.1, 306.0).by(lAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3903);
  ENDPHASE
  PHASE 5
    ACTIONS
      LIPOSE waist(-0.1144, 523.7, 50.63).time(0.2537), lTorso2uTorso(0.05456, 804.2, 21.35).time(0.7175);
      LIPOSE bHip(-1.456, 196.6, 33.67).time(0.9206);
      LIPOSE bKnee(2.023, 260.1, 30.13).time(0.9225);
      LIPOSE bAnkle(-0.6934, 200, 30.03).time(0.5798);
      VFFB uTorso(907, 326.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.482);
  ENDPHASE
ENDSCRIPT
