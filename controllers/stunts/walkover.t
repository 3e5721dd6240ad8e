# A forward walkover from the stand: two steps, a lunge on the right leg with the hands to the ground, the left
# leg kicks up and over, and its foot comes down first; what follows swings the right leg.
SCRIPTS simbicon.t;
BEGINSCRIPT walkover(void)
  PHASE 0  # two steps of a walk
    > simbicon.t(.3, 0, -2.2, -.2, 0, .05, -.4, .7, 1.1, .05, .05, .1, -.2);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1  # lean forward, the right leg ahead, the arms up
    ACTIONS
      POSE rShoulder(-1.62, 168, 36), lShoulder(-1.62, 168, 36);
      POSE lKnee(0.003), rKnee(.445);
      POSE lHip(.288, 167, 31.5), rHip(-.933, 167, 31.5);
      POSE rAnkle(.041), lAnkle(.294);
      POSE rElbow(-.555), lElbow(-.555);
    ENDACTIONS
    TRANSITION to(2).after(time .52);
  ENDPHASE
  PHASE 2  # bend down
    ACTIONS
      POSE waist(.329), lTorso2uTorso(.386);
      POSE rShoulder(-1.8), lShoulder(-1.8);
      POSE rWrist(-1.58), lWrist(-1.58);
      POSE lKnee(.017, 414, 29.5), rKnee(.374);
      POSE rHip(-1.09, 222, 33.6), lHip(.296, 222, 33.6);
      POSE rAnkle(.145), lAnkle(.398);
      POSE rElbow(-.226), lElbow(-.226);
    ENDACTIONS
    TRANSITION to(3).after(time .202);
  ENDPHASE
  PHASE 3  # hands to the ground
    ACTIONS
      POSE rShoulder(-2.28), lShoulder(-2.28);
      POSE rWrist(-1.06), lWrist(-1.06);
      POSE rHip(-1.45), lHip(.334);
      POSE rAnkle(.716);
    ENDACTIONS
    TRANSITION to(4).after(contact lHand);
  ENDPHASE
  PHASE 4  # kick up with the left leg
    ACTIONS
      POSE rShoulder(-2.55, 505, 25), lShoulder(-2.55, 505, 25);
      POSE rElbow(-.446), lElbow(-.446);
      POSE rWrist(-1.48), lWrist(-1.48);
      POSE rHip(-1.48), lHip(1.64, 279, 224);
      POSE rKnee(.035), lKnee(.035);
      POSE rAnkle(.265), lAnkle(.1);
    ENDACTIONS
    TRANSITION to(5).after(time .319);
  ENDPHASE
  PHASE 5  # over the hands
    ACTIONS
      POSE waist(-.172, 325, 101), lTorso2uTorso(-.184, 280, 102);
      POSE rShoulder(-2.55, 314, 27), lShoulder(-2.55, 314, 27);
      POSE rElbow(-.694), lElbow(-.694);
      POSE rWrist(-1.7), lWrist(-1.7);
      POSE rAnkle(.265), lAnkle(.265);
      POSE rKnee(.5), lKnee(.5);
      POSE rHip(-1.38), lHip(2.29, 324, 208);
    ENDACTIONS
    TRANSITION to(6).after(time .457);
  ENDPHASE
  PHASE 6  # the left foot reaches for the ground
    ACTIONS
      POSE rHip(-.339), lHip(1.94, 1210, 92);
      POSE rKnee(.331), lKnee(1.4);
      POSE waist(-.3), lTorso2uTorso(-.3);
      POSE rShoulder(-2.69), lShoulder(-2.69);
      POSE rAnkle(.359), lAnkle(-.736);
    ENDACTIONS
    TRANSITION to(7).after(contact lFoot);
  ENDPHASE
  PHASE 7  # up over the left foot, the right leg still behind
    ACTIONS
      POSE waist(-.107, 653, 61), lTorso2uTorso(.008, 563, 63.5);
      POSE rKnee(1.11), lKnee(.306);
      POSE rHip(-.154), lHip(.289);
      POSE rAnkle(.01), lAnkle(-.596);
      POSE rShoulder(-.08, 112, 31), lShoulder(-.08, 112, 31);
      POSE rElbow(-.03), lElbow(-.03);
      POSE rWrist(.047), lWrist(.047);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.02);
  ENDPHASE
ENDSCRIPT
