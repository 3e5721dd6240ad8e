# From the end of one motion to the beginning of another, proposed from the two poses (rise_to_tiptoe_walk).
BEGINSCRIPT rise_to_tiptoe_walk(void)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0.01735, 300, 45).time(0.3819);
      LIPOSE uTorso2neck(-0.005714, 300, 45).time(0.3442);
      LIPOSE lTorso2uTorso(-0.1124, 489.3, 81.99).time(0.3979);
      LIPOSE pelvis2lTorso(-0.008828, 975.8, 97.16).time(0.4167);
      LIPOSE rShoulder(-0.2597, 33.03, 4.182).time(0.4202);
      LIPOSE lShoulder(0.1389, 33.03, 4.182).time(0.4655);
      LIPOSE rElbow(-0.3759, 34, 3.62).time(0.3834);
      LIPOSE lElbow(-0.1862, 34, 3.62).time(0.3747);
      LIPOSE rWrist(-0.01252, 5, 3).time(0.402);
      LIPOSE lWrist(-0.1466, 5, 3).time(0.4277);
      LIPOSE rHip(-0.09796, 341.4, 32.83).time(0.3681);
      LIPOSE lHip(0.06871, 341.4, 32.83).time(0.3836);
      LIPOSE rKnee(0.08967, 734.4, 25.45).time(0.4094);
      LIPOSE lKnee(0.007731, 206.8, 17.51).time(0.3911);
      LIPOSE rAnkle(-0.1229, 823.6, 11.02).time(0.4433);
      LIPOSE lAnkle(0.01975, 63.27, 8.485).time(0.3524);
    ENDACTIONS
    TRANSITION to(1).after(time 0.4739);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE neck2head(0.04083, 300, 45).time(0.4303);
      LIPOSE uTorso2neck(0.1296, 300, 45).time(0.4198);
      LIPOSE lTorso2uTorso(-0.361, 489.3, 81.99).time(0.3916);
      LIPOSE pelvis2lTorso(-0.2191, 975.8, 97.16).time(0.3882);
      LIPOSE rShoulder(-0.4959, 33.03, 4.182).time(0.3826);
      LIPOSE lShoulder(0.107, 33.03, 4.182).time(0.4147);
      LIPOSE rElbow(-0.7968, 34, 3.62).time(0.4185);
      LIPOSE lElbow(-0.219, 34, 3.62).time(0.3811);
      LIPOSE rWrist(0.002195, 5, 3).time(0.3786);
      LIPOSE lWrist(-0.01141, 5, 3).time(0.431);
      LIPOSE rHip(-0.07449, 341.4, 32.83).time(0.4313);
      LIPOSE lHip(0.02137, 341.4, 32.83).time(0.4212);
      LIPOSE rKnee(0.1877, 734.4, 25.45).time(0.4038);
      LIPOSE lKnee(0.05801, 206.8, 17.51).time(0.4395);
      LIPOSE rAnkle(-0.005526, 823.6, 11.02).time(0.4051);
      LIPOSE lAnkle(-0.1015, 63.27, 8.485).time(0.3993);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.3812);
  ENDPHASE
ENDSCRIPT
