# A backward somersault from the squat into the squat: a quiet squat, a swing down, the push, the tuck, which opens when the trunk
# has turned far enough, and the legs give way at landing. Athlete's limits.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT backflip(void)
  PHASE 0  # quiet in the squat
    > squat.t(.4);
    TRANSITION to(1).after(time .5 and stable .04);
    TRANSITION to(1).after(time 2.5);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1
    ACTIONS
      POSE bShoulder(-2.93, 129.9, 66.9);
      POSE bHip(-2.132, 525.1, 8.098);
      POSE bKnee(1.659, 594.2, 38.93);
      POSE bAnkle(-0.6531, 666.7, 11.49);
      POSE waist(0.3487, 242.6, 101.4), lTorso2uTorso(0.5273, 240.6, 48.08);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2126);
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE bShoulder(-3.15, 26.79, 9.602);
      POSE bHip(0.2713, 577.3, 33.85);
      POSE bKnee(0.3596, 163.4, 10.76);
      POSE bAnkle(0.8292, 258, 15.85);
      POSE bElbow(-0.0959, 77.19, 10.33);
      POSE waist(-0.4, 1382, 83.27), lTorso2uTorso(-0.2972, 857.4, 99.7);
    ENDACTIONS
    TRANSITION to(3).after(time .3 and nocontact rFoot);
    TRANSITION to(3).after(time .7);
  ENDPHASE
  PHASE 3
    ACTIONS
      POSE bAnkle(-0.75, 83.41, 12.44);
      POSE bKnee(2.51, 501.8, 30.38);
      POSE bHip(-2.193, 608.8, 44.24);
      POSE bShoulder(-1.464, 93.12, 11.19);
      POSE bElbow(-0.2015, 120.8, 9.819);
      POSE waist(0.6971, 110.9, 50.35), lTorso2uTorso(0.6437, 452.5, 52.05);
    ENDACTIONS
    TRANSITION to(4).after(when orientation(uTorso) > 0.5 and when orientation(uTorso) < 1.954);
    TRANSITION to(4).after(time 0.5);
    TRANSITION to(5).after(contact rFoot);
  ENDPHASE
  PHASE 4  # open
    ACTIONS
      POSE bAnkle(-0.2189, 282.1, 21.08);
      POSE bKnee(0.5119, 194.1, 10.58);
      POSE bHip(-1.402, 229.4, 30.52);
      POSE bShoulder(-1.061, 120.6, 10.52);
      POSE waist(0.2412, 428.3, 42.63), lTorso2uTorso(-0.1771, 236.7, 32.14);
    ENDACTIONS
    TRANSITION to(5).after(contact rFoot);
    TRANSITION to(5).after(time 0.6);
  ENDPHASE
  PHASE 5  # land
    ACTIONS
      POSE bAnkle(-0.4793, 177.2, 57.03);
      POSE bKnee(1.645, 94.62, 57.96);
      POSE bHip(-1.422, 154.1, 17.76);
      POSE bShoulder(-1.527, 159.4, 12.71);
      VFFB uTorso(606.5, 191.1).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(time 0.1936);
  ENDPHASE
  PHASE 6
    > squat.t(0.8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
