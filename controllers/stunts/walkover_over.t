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
      POSE bShoulder(-1.718, 175.8, 25.05);
      POSE lKnee(-0.05);
      POSE rKnee(0.7163);
      POSE lHip(-0.1596, 94.85, 35.54);
      POSE rHip(-1.219, 131.3, 39.32);
      POSE rAnkle(-0.1852);
      POSE lAnkle(0.2579);
      POSE bElbow(0.05);
    ENDACTIONS
    TRANSITION to(4).after(time 0.06781);
  ENDPHASE
  PHASE 4  # bend down
    ACTIONS
      POSE waist(-0.1753), lTorso2uTorso(0.2912);
      POSE bShoulder(-2.232);
      POSE bWrist(-0.642);
      POSE lKnee(-0.05, 384.2, 32.68);
      POSE rKnee(-0.05);
      POSE rHip(-1.262, 310.1, 17.76);
      POSE lHip(-0.555, 237.2, 13.14);
      POSE rAnkle(0.5075);
      POSE lAnkle(0.3534);
      POSE bElbow(0.05, 805.6, 43.87);
    ENDACTIONS
    TRANSITION to(5).after(time 0.1338);
  ENDPHASE
  PHASE 5  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.323);
      POSE bWrist(-1.6, 104.3, 6.1);
      POSE rHip(-1.536);
      POSE lHip(0.4972);
      POSE rAnkle(0.8664);
    ENDACTIONS
    TRANSITION to(6).after(contact lHand);
    TRANSITION to(fail).after(time 1.614);
  ENDPHASE
  PHASE 6  # over the hands, the legs apart
    ACTIONS
      POSE waist(-0.04946, 1241, 80.86), lTorso2uTorso(-0.3872, 557.7, 99.19);
      POSE bShoulder(-2.875, 996.1, 95.91);
      POSE bElbow(0.05, 1705, 119.4);
      POSE bWrist(-1.161, 67.25, 10.15);
      POSE rHip(-1.715, 242.5, 33.43), lHip(0.1213, 291, 42.82);
      POSE rKnee(-0.01591), lKnee(0.5339);
      POSE bAnkle(-0.75);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(7).after(when com_x - x(rHand) > 0.3647);
    TRANSITION to(fail).after(time 1.368);
  ENDPHASE
  PHASE 7  # the left foot reaches for the ground ahead, the arms push
    ACTIONS
      POSE waist(-0.4, 3256, 103.7), lTorso2uTorso(-0.4, 3236, 77.85);
      POSE bShoulder(-3.15, 2510, 55.56);
      POSE bElbow(-0.6654, 2271, 121.4);
      POSE bWrist(1.4, 82.19, 14.52);
      POSE rHip(-0.7252, 383.4, 46.52), lHip(0.5147, 1261, 49.14);
      POSE rKnee(0.2862), lKnee(1.254, 489.9, 37.82);
      POSE rAnkle(-0.3233), lAnkle(0.3173, 275.2, 19.53);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(fail).after(time 1.193);
  ENDPHASE
  PHASE 8  # rise over the left foot, the right leg reaches ahead
    ACTIONS
      POSE waist(-0.08931 + 0.07592 * (com_x - x(lFoot) + com_vx / 4.045 - 0.0516), 1237, 53.93),
          lTorso2uTorso(0.377 + 0.1507 * (com_x - x(lFoot) + com_vx / 5.11 - 0.06784), 980.2, 43.21);
      POSE bShoulder(-0.5945, 158.1, 21.34);
      POSE bElbow(-0.5028);
      POSE lHip(-0.7872 - 2.33 * (com_x - x(lFoot) + com_vx / 5.207 - 0.5432), 364.8, 48.25),
          rHip(-0.9101 - 0.01681 * (com_x - x(lFoot) + com_vx / 4.982 + 0.1453), 327.2, 27.21);
      POSE lKnee(0.7438 + 0.08645 * (com_vy - 0.2009), 473.5, 48.82), rKnee(0.7036);
      POSE lAnkle(-0.4909, 356, 28.06), rAnkle(-0.5454);
      VFFB uTorso(544.2, 181.8).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(9).after(contact rFoot);
    TRANSITION to(9).after(time 0.2032);
  ENDPHASE
  PHASE 9  # both feet on the ground, the right one ahead
    ACTIONS
      POSE waist(0.2256, 1254, 61.73), lTorso2uTorso(0.3598, 1026, 39);
      POSE bShoulder(-1.255, 241.6, 12.68);
      POSE rHip(-0.5823, 324.4, 45.72), lHip(-0.3737, 314.4, 61.52);
      POSE rKnee(1.009, 528.5, 43.23), lKnee(1.286 + 0.1636 * (com_vy - 0.891), 426.5, 37.18);
      POSE rAnkle(-0.4113, 281, 49.7), lAnkle(-0.6261, 383.7, 35.65);
      VFFB uTorso(712.8, 184.4).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(10).after(time 0.1317);
  ENDPHASE
  PHASE 10  # rise on both, the body over the right foot
    ACTIONS
      LIPOSE waist(0.06345, 901.7, 37.38).time(0.2241), lTorso2uTorso(-0.2947, 1596, 62.35).time(0.1682);
      LIPOSE bShoulder(-0.3384, 91.65, 13.34).time(0.5567), bElbow(-0.1532, 91.55, 17.29).time(0.4492),
          bWrist(0.04259, 19.01, 3.299).time(0.3611);
      POSE rHip(-0.1308 + 0.9596 * orientation(uTorso), 374.7, 52.38), lHip(-0.1107 + 0.02018 * orientation(uTorso), 393.9, 64.88);
      LIPOSE rKnee(0.3522, 586.2, 56.75).time(0.2883), lKnee(0.4152, 566.3, 45.5).time(0.4178);
      LIPOSE rAnkle(-0.1759, 339.4, 26.3).time(0.304), lAnkle(-0.3721, 542.3, 33.62).time(0.2477);
      VFFB uTorso(1167, 386.5).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.342);
    TRANSITION to(12).after(time 0.2382 and when com_x - x(rFoot) + com_vx / 3.884 > -0.07454);
    TRANSITION to(12).after(time 1.86);
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
