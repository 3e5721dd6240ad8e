# A backward somersault from the squat to the squat: rest in the squat, swing down, push off, tuck, extend when the trunk has rotated
# far enough, and flex the legs at landing. Within the limits of an athlete.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip(void)
  PHASE 0  # at rest in the squat
    > squat.t(.4);
    TRANSITION to(1).after(time .5 and stable .04);
    TRANSITION to(1).after(time 2.5);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    ACTIONS
      POSE bShoulder(-2.919, 130.1, 69.18);
      POSE bHip(-2.102, 516.2, 8.157);
      POSE bKnee(1.679, 558.8, 40.59);
      POSE bAnkle(-0.6596, 641.7, 10.88);
      POSE waist(0.359, 252.5, 110.2), lTorso2uTorso(0.5078, 234.7, 51.68);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2301);
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-3.15, 29.34, 10.66);
      POSE bHip(0.2622, 558.1, 35.24);
      POSE bKnee(0.3444, 164.8, 10.98);
      POSE bAnkle(0.8573, 281.8, 15.48);
      POSE bElbow(-0.09295, 79.71, 10.55);
      POSE waist(-0.4, 1398, 83.31), lTorso2uTorso(-0.3, 813.3, 95.82);
    ENDACTIONS
    TRANSITION to(3).after(time .3 and nocontact rFoot);
    TRANSITION to(3).after(time .7);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bAnkle(-0.7316, 83.73, 13.67);
      POSE bKnee(2.523, 497.6, 31.31);
      POSE bHip(-2.172, 620.7, 48.03);
      POSE bShoulder(-1.444, 91.27, 11.47);
      POSE bElbow(-0.2028, 121.8, 9.486);
      POSE waist(0.6939, 119.7, 50.51), lTorso2uTorso(0.6549, 530.6, 54.23);
    ENDACTIONS
    TRANSITION to(4).after(when orientation(uTorso) > 0.5 and when orientation(uTorso) < 1.954);
    TRANSITION to(4).after(time 0.5);
    TRANSITION to(5).after(contact rFoot);
  ENDPHASE
  PHASE 4  # extend
    ACTIONS
      POSE bAnkle(-0.2265, 267.1, 19.91);
      POSE bKnee(0.5268, 207, 11.13);
      POSE bHip(-1.422, 240, 29.26);
      POSE bShoulder(-1.084, 120, 10.94);
      POSE waist(0.2415, 410.1, 41.12), lTorso2uTorso(-0.1871, 244.7, 34.82);
    ENDACTIONS
    TRANSITION to(5).after(contact rFoot);
    TRANSITION to(5).after(time 0.6);
  ENDPHASE
  PHASE 5  # land
    ACTIONS
      POSE bAnkle(-0.456, 170.4, 56.16);
      POSE bKnee(1.633, 92.62, 60.45);
      POSE bHip(-1.445, 160.3, 17.47);
      POSE bShoulder(-1.498, 173.1, 13.33);
      VFFB uTorso(566.3, 198.1).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(time 0.196);
  ENDPHASE
  PHASE 6
    > squat.t(0.8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
