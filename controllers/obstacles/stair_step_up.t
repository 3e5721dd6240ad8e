# A step up stairs with the right foot, from below the left foot's tread to the one above it. Treads are `run` (m) deep.
# The thigh swings lower by `low` (rad) than usual.
BEGINSCRIPT stair_step_up(run, low)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(-0.06889, 1101.0, 105.6), lTorso2uTorso(-0.44, 459.6, 72.82);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.569 + 2.175 * (run - .33) + 2.088 * (edge_rise(lFoot) - 0.105) - 0.311 * (com_vx - 0.75), 451.0, 11.55).time(0.1224);
      LIPOSE rKnee(0.2183, 233.9, 15.44).time(0.05685);
      LIPOSE lKnee(0.7658 - 0.4479 * (edge_rise(lFoot) - 0.105) - 0.6641 * (run - .33) - 0.4697 * (com_vx - 0.75), 368.7, 18.12).time(0.09082);
      POSE lAnkle(0.01829 - 1.096 * (edge_rise(lFoot) - 0.105) - 0.3231 * (com_vx - 0.75), 113.8, 9.653);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(0.1284 + 0.3657 * (edge_rise(lFoot) - 0.105) + 0.3046 * (run - .33) - 0.1748 * (com_vx - 0.75), 411.6, 59.87).joint(lHip);
      VPD rThigh(0.2249 + 0.5117 * (run - .33) - 0.4536 * (com_vx - 0.75), -145.4, -13.86).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1229);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.538 + 0.2941 * (edge_rise(lFoot) - 0.105) + 0.4587 * (run - .33), 270.0, 14.26).time(0.01973);
      LIPOSE rAnkle(-0.2436, 74.1, 9.1).time(0.04554);
      LIPOSE lKnee(0.08026 - 0.6226 * (edge_rise(lFoot) - 0.105) + 0.4122 * (run - .33), 521.2, 33.86).time(0.07143);
      LIPOSE lAnkle(-0.1998 + 0.1304 * (com_vx - 0.75) + 0.6441 * (run - .33), 520.8, 8.828).time(0.08537);
      VPD uTorso(0.1025 - 0.4949 * (run - .33), 371.1, 54.11).joint(lHip);
      COMFB2 -0.07724 -0.2901 j lAnkle
      VPD rThigh(-1.105 + low - 0.6773 * (run - .33) + 0.1128 * (com_vx - 0.75) + 0.2784 * (edge_distance(lFoot) - 0.17) - 3.193 * (edge_rise(lFoot) - 0.105), -119.7, -16.56).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.668 - 1.317 * (edge_rise(lFoot) - 0.105) + 2.781 * (run - .33));
    ENDACTIONS
    TRANSITION to(2).after(time 0.2024);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.7491 + 1.832 * (edge_rise(lFoot) - 0.105), 164.6, 17.1).time(0.08948);
      LIPOSE rAnkle(0.009264, 58.56, 8.744).time(0.2312);
      LIPOSE lAnkle(-0.1912 - 0.2458 * (edge_rise(lFoot) - 0.105) + 0.3438 * (run - .33), 808.8, 9.734).time(0.0815);
      LIPOSE lKnee(0.1817 + 0.2487 * (edge_rise(lFoot) - 0.105) + 0.3667 * (run - .33), 750.2, 29.93).time(0.113);
      VPD uTorso(-0.07347, 382.8, 67.92).joint(lHip);
      COMFB2 0.2895 -0.2709 j lAnkle
      VPD rThigh(-0.6112 + low + 0.2685 * (run - .33) - 1.697 * (edge_rise(lFoot) - 0.105) - 0.765 * (edge_distance(lFoot) - 0.1667), -184.0, -8.11).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.6655 + 3.683 * (run - .33));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
