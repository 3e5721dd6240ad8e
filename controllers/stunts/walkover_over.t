# A forward walkover from standing at rest: two steps, a lunge on the right leg with the hands to the floor, the left leg kicks up and
# over, the right one follows with the legs apart, and the arms push. The left foot lands just after the hands have left the floor,
# the right foot ahead of it as a step, the body rises over both, and the left foot moves beside the right one.
SCRIPTS stand.t, simbicon.t, feet_together.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT walkover_over(void)
  PHASE 0  # at rest in the stand
    > stand.t(.4, .4);
    TRANSITION to(1).after(time .5 and stable .04);
    TRANSITION to(1).after(time 2.5);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 2  # two steps of a walk
    > simbicon.t(0.3044, -0.05244, -2.502, -0.1877, 0.008511, 0.03814, -0.4483, 0.7716, 1.005, 0.1552, 0.03226, 0.07807,
        -0.2837);
    TRANSITION to(3).after(complete);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bShoulder(-1.465, 175.8, 25.05);
      POSE lKnee(-0.05);
      POSE rKnee(0.3024);
      POSE lHip(0.3148, 94.85, 35.54);
      POSE rHip(-1.184, 131.3, 39.32);
      POSE rAnkle(0.04068);
      POSE lAnkle(0.05431);
      POSE bElbow(-0.3071);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1098);
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(0.4766), lTorso2uTorso(0.3785);
      POSE bShoulder(-1.982);
      POSE bWrist(-0.8918);
      POSE lKnee(0.06892, 384.2, 32.68);
      POSE rKnee(-0.05);
      POSE rHip(-1.292, 310.1, 17.76);
      POSE lHip(0.05684, 237.2, 13.14);
      POSE rAnkle(0.1554);
      POSE lAnkle(0.05348);
      POSE bElbow(-0.3249, 805.6, 43.87);
    ENDACTIONS
    TRANSITION to(5).after(time 0.1818);
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.656);
      POSE bWrist(-1.383, 104.3, 6.1);
      POSE rHip(-1.491);
      POSE lHip(0.5053);
      POSE rAnkle(0.95);
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.614);
  ENDPHASE
  PHASE 6  # over the hands, the legs apart
    ACTIONS
      POSE waist(-0.2689, 1241, 80.86), lTorso2uTorso(0.06587, 557.7, 99.19);
      POSE bShoulder(-2.441, 996.1, 95.91);
      POSE bElbow(-0.9927, 1705, 119.4);
      POSE bWrist(-1.263, 67.25, 10.15);
      POSE rHip(-1.717, 242.5, 33.43), lHip(0.4483, 291, 42.82);
      POSE rKnee(0.2678), lKnee(1.935);
      POSE bAnkle(-0.75);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(7).after(when com_x - x(rHand) > 0.2124);
    TRANSITION to(fail).after(time 1.368);
  ENDPHASE
  PHASE 7  # the left foot reaches for the ground ahead, the arms push
    ACTIONS
      POSE waist(-0.4, 3207, 100.3), lTorso2uTorso(-0.4, 3093, 78.24);
      POSE bShoulder(-3.15, 2343, 55.85);
      POSE bElbow(-0.5434, 2241, 124);
      POSE bWrist(0.6085, 75.81, 15.26);
      POSE rHip(-0.835, 388.8, 46.14), lHip(0.52, 1293, 48.2);
      POSE rKnee(0.41), lKnee(1.222, 493.5, 37.9);
      POSE rAnkle(-0.75), lAnkle(0.1808, 277, 19.86);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(fail).after(time 1.193);
  ENDPHASE
  PHASE 8  # the body comes down over the left foot, the right leg swings ahead
    ACTIONS
      POSE waist(-0.1832, 772, 57.65), lTorso2uTorso(0.469, 1341, 49.98);
      POSE bShoulder(-3.126, 623.4, 20.52);
      POSE bElbow(-0.2563);
      POSE lHip(0.4583, 964.2, 56.02), rHip(-0.9785, 284.4, 26.48);
      POSE lKnee(0.7319, 535.8, 57.12), rKnee(0.6715);
      POSE lAnkle(-0.6134, 735.8, 35.08), rAnkle(-0.2857);
      VFFB uTorso(309.9, 220.5).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(9).after(time 0.1123);
  ENDPHASE
  PHASE 9  # rise over the left foot, the right leg reaches ahead
    ACTIONS
      POSE waist(-0.07675 + 0.2003 * (com_x - x(lFoot) + com_vx / 4.201 - 0.1839), 1261, 58.27),
          lTorso2uTorso(0.8061 + 0.2921 * (com_x - x(lFoot) + com_vx / 4.55 - 0.1209), 1100, 43.67);
      POSE bShoulder(-1.455, 148.2, 25.73);
      POSE bElbow(-0.492);
      POSE lHip(-0.7041 - 1.867 * (com_x - x(lFoot) + com_vx / 4.63 - 0.1169), 352.5, 53.96),
          rHip(-0.4285 - 0.1793 * (com_x - x(lFoot) + com_vx / 5.41 - 0.225), 343.3, 27.42);
      POSE lKnee(1.256, 501.7, 47.31), rKnee(0.6387);
      POSE lAnkle(-0.3539, 343, 28.2), rAnkle(0.01773);
      VFFB uTorso(594.7, 166.5).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(10).after(contact rFoot);
    TRANSITION to(10).after(time 0.4063);
  ENDPHASE
  PHASE 10  # both feet on the ground, the right one ahead
    ACTIONS
      POSE waist(0.1297, 1179, 59.21), lTorso2uTorso(0.3936, 1013, 37.84);
      POSE bShoulder(-1.308, 248.7, 13.66);
      POSE rHip(-0.4204, 298.9, 44.03), lHip(-0.4564, 341.4, 66.44);
      POSE rKnee(0.5732, 526, 44.62), lKnee(1.239, 502.5, 40.61);
      POSE rAnkle(-0.1572, 287.5, 50.75), lAnkle(-0.2638, 392.5, 37.91);
      VFFB uTorso(679.2, 195.8).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(11).after(time 0.05588);
  ENDPHASE
  PHASE 11  # rise on both, the body over the right foot
    ACTIONS
      LIPOSE waist(0.7876, 823, 36.05).time(0.5272), lTorso2uTorso(-0.2331, 1602, 63.1).time(0.3554);
      LIPOSE bShoulder(-0.541, 83.66, 12.77).time(0.4974), bElbow(0.05, 87.31, 17.39).time(0.5279),
          bWrist(0.3796, 19, 3.756).time(0.3155);
      LIPOSE rHip(-0.2832, 564.6, 47.59).time(0.5464), lHip(-0.496, 524.7, 70.88).time(1.224);
      LIPOSE rKnee(0.8097, 575.7, 51.09).time(0.7956), lKnee(0.5934, 558.4, 44.74).time(0.5922);
      LIPOSE rAnkle(0.04982, 285.9, 24.65).time(0.8115), lAnkle(-0.75, 543.1, 31.18).time(0.4987);
      VFFB uTorso(1548, 374).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(12).after(time 0.5423 and stable 0.8);
    TRANSITION to(12).after(time 3.75);
  ENDPHASE
  PHASE 12  # the left foot beside the right one
    > feet_together();
    TRANSITION to(fail).after(fallen x 1.3);
    TRANSITION to(13).after(complete);
  ENDPHASE
  PHASE 13
    > stand.t(.5, .5);
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
