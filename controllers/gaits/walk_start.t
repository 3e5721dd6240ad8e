# The first step of a walk from the stand: the body leans over the toes, the right leg swings.
BEGINSCRIPT walk_start(slope)
  PHASE 0  # lean forward
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.005711, 1022, 104.5), lTorso2uTorso(-0.3084, 427.2, 97.85);
      POSE lWrist(-0.2324, 1.109, 2.036), rWrist(-0.2324, 1.109, 2.036);
      LIPOSE bAnkle(-0.1446 + slope * (-0.721 - 0.583 * slope), 183.3, 19.92).time(0.2503);
      LIPOSE rKnee(0.187 + slope * (-0.0665 + 2.28 * slope), 265.7, 24.11).time(0.2765),
          lKnee(0.07743 + slope * (-0.0444 + 1.55 * slope), 352.7, 40.48).time(0.2765);
      LIPOSE rHip(-0.1488 + slope * (-0.33 - 5.99 * slope), 341.4, 32.83).time(0.215),
          lHip(0.02185 + slope * (0.617 + 1.85 * slope), 341.4, 32.83).time(0.215);
      LIPOSE rShoulder(0.03007, 28.07, 4.897).time(0.275), lShoulder(-0.3533, 28.07, 4.897).time(0.275);
      LIPOSE rElbow(-0.1676, 38.4, 3.373).time(0.549), lElbow(-0.6502, 38.4, 3.373).time(0.549);
      VF (47.09 + slope * (153 + 277 * slope), -38.08, 0).on(pelvis).by(lAnkle);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3453);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.074 + slope * (-0.942 + 3.53 * slope), 104.3, 16.89).time(0.02);
      LIPOSE rAnkle(-0.3897 + slope * (-1.27 + 4.29 * slope), 68.16, 9.245).time(0.06515);
      LIPOSE lKnee(0.1508 + slope * (-0.51 - 0.88 * slope), 439.2, 31.6).time(0.08555);
      LIPOSE lAnkle(-0.06625 + slope * (-0.508 - 1.06 * slope), 485.9, 17.15).time(0.1085);
      VPD uTorso(-0.07453 + slope * (1.8 + 0.00805 * slope), 318.2, 52.08).joint(lHip);
      COMFB2 0.2276 -0.3588 j lAnkle
      VPD rThigh(-0.4178 + slope * (-1.21 - 1.79 * slope), -96.41, -10.58).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2214);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(-0.05 + slope * (-0.415 + 0.223 * slope), 248.6, 20.23).time(0.1108);
      LIPOSE rAnkle(-0.07866 + slope * (0.648 - 3.93 * slope), 77.4, 7.554).time(0.3488);
      LIPOSE lAnkle(-0.2228 + slope * (0.502 - 3.18 * slope), 866.3, 11.67).time(0.04519);
      LIPOSE lKnee(0.2365 + slope * (0.14 - 2.77 * slope), 642.2, 21.92).time(0.1015);
      VPD uTorso(-0.1446 + slope * (0.206 - 0.504 * slope), 261.9, 67.51).joint(lHip);
      COMFB2 0.2855 -0.219 j lAnkle
      VPD rThigh(-0.3402 + slope * (-0.707 + 5.75 * slope), -182, -7.681).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
