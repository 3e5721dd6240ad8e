# A forward walkover from the stand: two steps, a lunge on the right leg with the hands to the ground, the left
# leg kicks up and over, and its foot comes down first; what follows swings the right leg.
SCRIPTS simbicon.t;
BEGINSCRIPT walkover(void)
  PHASE 0  # two steps of a walk
    > simbicon.t(0.2757, 0.00303, -2.228, -0.2106, -0.005089, 0.1108, -0.3995, 0.7373, 1.046, 0.05859, 0.09108, 0.07505,
        -0.1598);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # lean forward, the right leg ahead, the arms up
    ACTIONS
      POSE rShoulder(-1.568, 168, 36), lShoulder(-1.568, 168, 36);
      POSE lKnee(-0.03806), rKnee(0.4266);
      POSE lHip(0.2893, 167, 31.5), rHip(-0.9452, 167, 31.5);
      POSE rAnkle(0.05185), lAnkle(0.2219);
      POSE rElbow(-0.5808), lElbow(-0.5808);
    ENDACTIONS
    TRANSITION to(2).after(time 0.5325);
  ENDPHASE
  PHASE 2  # bend down
    ACTIONS
      POSE waist(0.3238), lTorso2uTorso(0.3935);
      POSE rShoulder(-1.796), lShoulder(-1.796);
      POSE rWrist(-1.555), lWrist(-1.555);
      POSE lKnee(0.03535, 414, 29.5), rKnee(0.279);
      POSE rHip(-1.012, 222, 33.6), lHip(0.3557, 222, 33.6);
      POSE rAnkle(0.2108), lAnkle(0.3731);
      POSE rElbow(-0.2106), lElbow(-0.2106);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1894);
  ENDPHASE
  PHASE 3  # hands to the ground
    ACTIONS
      POSE rShoulder(-2.316), lShoulder(-2.316);
      POSE rWrist(-1.01), lWrist(-1.01);
      POSE rHip(-1.474), lHip(0.2215);
      POSE rAnkle(0.7745);
    ENDACTIONS
    TRANSITION to(4).after(contact lHand);
  ENDPHASE
  PHASE 4  # kick up with the left leg
    ACTIONS
      POSE rShoulder(-2.574, 505, 25), lShoulder(-2.574, 505, 25);
      POSE rElbow(-0.3524), lElbow(-0.3524);
      POSE rWrist(-1.447), lWrist(-1.447);
      POSE rHip(-1.459), lHip(1.577, 279, 224);
      POSE rKnee(0.04947), lKnee(0.07095);
      POSE rAnkle(0.2046), lAnkle(0.09812);
    ENDACTIONS
    TRANSITION to(5).after(time 0.2999);
  ENDPHASE
  PHASE 5  # over the hands
    ACTIONS
      POSE waist(-0.1661, 325, 101), lTorso2uTorso(-0.2003, 280, 102);
      POSE rShoulder(-2.549, 314, 27), lShoulder(-2.549, 314, 27);
      POSE rElbow(-0.6813), lElbow(-0.6813);
      POSE rWrist(-1.698), lWrist(-1.698);
      POSE rAnkle(0.2632), lAnkle(0.2141);
      POSE rKnee(0.5478), lKnee(0.5582);
      POSE rHip(-1.344), lHip(2.314, 324, 208);
      POSEFB lHip(-0.02319, 0.0464).on(part lHand);
    ENDACTIONS
    TRANSITION to(6).after(time 0.4299);
  ENDPHASE
  PHASE 6  # the left foot reaches for the ground
    ACTIONS
      POSE rHip(-0.4064), lHip(1.908, 1210, 92);
      POSE rKnee(0.3608), lKnee(1.462);
      POSE waist(-0.3), lTorso2uTorso(-0.2552);
      POSE rShoulder(-2.662), lShoulder(-2.662);
      POSE rAnkle(0.3329), lAnkle(-0.6375);
      POSEFB lHip(-0.04247, -0.04807).on(part lHand);
    ENDACTIONS
    TRANSITION to(7).after(contact lFoot);
  ENDPHASE
  PHASE 7  # up over the left foot, the right leg still behind
    ACTIONS
      POSE waist(0.01994, 653, 61), lTorso2uTorso(0.01355, 563, 63.5);
      POSE rKnee(1.07), lKnee(0.2244);
      POSE rHip(-0.1258), lHip(0.02932);
      POSE rAnkle(-0.01269), lAnkle(-0.6087);
      POSE rShoulder(-0.09275, 112, 31), lShoulder(-0.09275, 112, 31);
      POSE rElbow(-0.1134), lElbow(-0.1134);
      POSE rWrist(-5.666e-05), lWrist(-5.666e-05);
      VFFB uTorso(466.2, 200.0).by(lAnkle).over(part lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.8);
  ENDPHASE
ENDSCRIPT
