# From hands and knees to the squat: tucks the toes, lifts the hips over hands and toes, jumps the feet
# forward under the body and catches the balance in the squat.
SCRIPTS squat.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT get_up(void)
  PHASE 0 # tuck the toes
    ACTIONS
      POSE neck2head(-.3, 300, 45), uTorso2neck(-.3, 300, 45);
      POSE waist(.2, 600, 60), lTorso2uTorso(.2, 600, 60);
      LIPOSE rAnkle(-1, 300, 45).time(.3), lAnkle(-1, 300, 45).time(.3);
      LIPOSE rKnee(1.9, 1000, 100).time(.3), lKnee(1.9, 1000, 100).time(.3);
      LIPOSE rHip(-1.9, 1000, 100).time(.3), lHip(-1.9, 1000, 100).time(.3);
      LIPOSE rShoulder(-1.5, 1000, 100).time(.3), lShoulder(-1.5, 1000, 100).time(.3);
      LIPOSE rElbow(-.4, 1000, 100).time(.3), lElbow(-.4, 1000, 100).time(.3);
    ENDACTIONS
    TRANSITION to(1).after(time .4);
  ENDPHASE
  PHASE 1 # lift the hips
    ACTIONS
      LIPOSE rKnee(1.2, 1000, 100).time(.3), lKnee(1.2, 1000, 100).time(.3);
      LIPOSE rHip(-1.9, 1000, 100).time(.3), lHip(-1.9, 1000, 100).time(.3);
      POSE rAnkle(-.6, 600, 60), lAnkle(-.6, 600, 60);
      POSE rShoulder(-1.8, 1000, 100), lShoulder(-1.8, 1000, 100);
      POSE rElbow(-.1, 1000, 100), lElbow(-.1, 1000, 100);
    ENDACTIONS
    TRANSITION to(2).after(time .35);
  ENDPHASE
  PHASE 2 # jump the feet forward
    ACTIONS
      POSE rHip(-2.5, 1000, 100), lHip(-2.5, 1000, 100);
      POSE rKnee(2.4, 800, 60), lKnee(2.4, 800, 60);
      POSE rAnkle(-.7, 300, 30), lAnkle(-.7, 300, 30);
    ENDACTIONS
    TRANSITION to(3).after(time .3);
  ENDPHASE
  PHASE 3 # push off with the hands
    ACTIONS
      POSE rShoulder(-2, 1000, 100), lShoulder(-2, 1000, 100);
      POSE rElbow(0, 1000, 100), lElbow(0, 1000, 100);
      POSE rHip(-2, 600, 80), lHip(-2, 600, 80);
      POSE rKnee(2.2, 600, 80), lKnee(2.2, 600, 80);
      POSE rAnkle(-.7, 600, 80), lAnkle(-.7, 600, 80);
    ENDACTIONS
    TRANSITION to(4).after(time .3);
  ENDPHASE
  PHASE 4
    > squat.t(1.2);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
