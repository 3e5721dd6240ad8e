# From the stand a long step forward, then down until the rear knee is close to the ground; held.
# Argument: hold, the time of going down and holding (s).
BEGINSCRIPT lunge(hold)
  PHASE 3  # skip the step if already in the lunge
    TRANSITION to(2).after(when x(rFoot) - x(lFoot) > .5 and when com_height < .8);
    TRANSITION to(0).after(complete);
  ENDPHASE
  PHASE 0  # lift the right foot, fall forward
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(-0.04095, 388.4, 42.13),
          lTorso2uTorso(0.08003, 601.8, 21.87);
      LIPOSE rHip(-1.114, 365.5, 51.68).time(0.3068), rKnee(0.9703, 274.6, 32.63).time(0.1909),
          rAnkle(0.1239, 69.69, 15.08).time(0.178);
      LIPOSE lHip(0.1143, 343, 51.68).time(0.2341), lKnee(0.2264, 441, 38.55).time(0.2126),
          lAnkle(-0.2205, 259.9, 24.86).time(0.3956);
      LIPOSE bShoulder(-0.0311, 38.6, 8.967).time(0.2745);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4319);
  ENDPHASE
  PHASE 1  # set it down far ahead
    ACTIONS
      LIPOSE rHip(-0.9821, 265, 38.96).time(0.08555), rKnee(0.7233, 365.7, 34.92).time(0.1023),
          rAnkle(-0.2105, 203.8, 20).time(0.1751);
      LIPOSE lHip(0.5194, 265, 38.96).time(0.2011), lAnkle(-0.07537, 165.4, 25.56).time(0.1981);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
    TRANSITION to(2).after(time 0.98);
  ENDPHASE
  PHASE 2  # down, slowly
    ACTIONS
      LIPOSE rHip(-1.205, 456.1, 57.13).time(0.4556), rKnee(1.483, 546.4, 87.75).time(1.177),
          rAnkle(0.04494, 247.3, 50.18).time(0.7911);
      LIPOSE lHip(0.09889, 456.1, 57.13).time(0.4556), lKnee(1.503, 522.4, 59.87).time(1.177),
          lAnkle(-0.2741, 115.2, 31.77).time(0.3689);
      VFFB uTorso(712.9, 175).by(rAnkle).over(cop);
      VFFB uTorso(493.5, 87.65).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(fallen x 1.2);
    TRANSITION to(-1).after(time hold);
  ENDPHASE
ENDSCRIPT
