# A standing long jump: a quiet crouch with the arms back, a lean, legs and arms extend, the feet reach ahead, the legs give way.
SCRIPTS stand.t;
SET TORQUELIMIT = 200
BEGINSCRIPT broad_jump(void)
  PHASE 0  # down into a crouch, the arms back, and quiet
    ACTIONS
      POSE neck2head(0, 100, 12), uTorso2neck(0, 100, 12), bWrist(0, 4, 2);
      LIPOSE bShoulder(0.9477, 65.4902, 8.33193).time(0.323558), bElbow(-0.415605, 61.2212, 10.1818).time(0.777012);
      LIPOSE waist(0.224192, 634.154, 34.6429).time(0.301578), lTorso2uTorso(0.0122033, 615.2, 44.9627).time(0.498828);
      LIPOSE bHip(-1.54803, 448.191, 46.1301).time(0.546189);
      LIPOSE bKnee(1.78807, 420.624, 49.5865).time(0.520454);
      LIPOSE bAnkle(-0.518668, 379.234, 30.1261).time(0.995615);
      VFFB uTorso(3078.79, 69.3145).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(1).after(time .9 and stable .15);
    TRANSITION to(1).after(time 2.4);
    TRANSITION to(fail).after(fallen x 1.2);
  ENDPHASE
  PHASE 1  # the weight forward
    ACTIONS
      LIPOSE bShoulder(-0.227808, 131.799, 15.101).time(0.246475);
      VFSFB uTorso(300).by(bAnkle).speed(1.0);
    ENDACTIONS
    TRANSITION to(2).after(when com_x - .5 * x(rFoot) - .5 * x(lFoot) + com_vx / 3.2 > 0.08066);
    TRANSITION to(2).after(time .5);
  ENDPHASE
  PHASE 2  # up and forward
    ACTIONS
      LIPOSE bShoulder(-1.57082, 76.4717, 9.92594).time(0.144006);
      LIPOSE waist(-0.213114, 600.511, 37.4308).time(0.121287), lTorso2uTorso(0.217599, 399.2, 35.6353).time(0.0730978);
      LIPOSE bHip(-0.412686, 589.307, 32.5947).time(0.306984);
      LIPOSE bKnee(-0.05, 332.642, 7.61405).time(0.393334);
      LIPOSE bAnkle(0.376328, 109.973, 8.26393).time(0.184871);
    ENDACTIONS
    TRANSITION to(3).after(nocontact rFoot and nocontact lFoot and time 0.101277);
    TRANSITION to(3).after(time .5);
  ENDPHASE
  PHASE 3  # in the air the feet reach ahead, the further the faster it is
    ACTIONS
      LIPOSE bShoulder(-0.8187, 116.8, 14.43).time(0.2178);
      POSE bHip(-1.202 - 0.08562 * (com_vx - 1.6), 142.1, 26.98);
      LIPOSE bKnee(0.639, 498.5, 18.05).time(0.218);
      LIPOSE bAnkle(-0.2837, 76.67, 10.11).time(0.2035);
      LIPOSE waist(0.1414, 792.7, 67.96).time(0.2918), lTorso2uTorso(-0.02582, 491.9, 38.44).time(0.271);
    ENDACTIONS
    TRANSITION to(4).after(contact rFoot or contact lFoot);
    TRANSITION to(4).after(time .8);
  ENDPHASE
  PHASE 4  # the legs give way
    ACTIONS
      LIPOSE bShoulder(-1.4, 67.81, 14.07).time(0.2458);
      POSE rHip(-1.189 + -0.334 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.4373 * com_vx, 313, 31.22);
      POSE lHip(-1.189 + -0.334 * (com_x - .5 * x(rFoot) - .5 * x(lFoot)) + 0.4373 * com_vx, 313, 31.22);
      LIPOSE bKnee(1.482, 357.5, 83.58).time(0.3344);
      LIPOSE bAnkle(-0.642, 334.5, 34.82).time(0.5077);
      VFFB uTorso(1642, 301.2).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(5).after(time 0.8177);
  ENDPHASE
  PHASE 5
    ACTIONS
      VFFB uTorso(1951.05, 448.706).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(stable .25);
    TRANSITION to(6).after(time .6);
  ENDPHASE
  PHASE 6
    > stand.t(1.2, 1.1);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
