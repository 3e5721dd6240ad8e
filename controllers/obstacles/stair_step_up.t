# A step up stairs with the right foot, from below the left foot's tread to the one above it. Treads are `run` (m) deep.
# The thigh swings lower by `low` (rad) than usual.
BEGINSCRIPT stair_step_up(run, low)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(-0.06433, 1101.0, 105.6), lTorso2uTorso(-0.4302, 459.6, 72.82);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.4992 + 3 * (run - .33) + 1.712 * (edge_rise(lFoot) - 0.105) - 0.4042 * (com_vx - 0.75), 451.0, 11.55).time(0.1224);
      LIPOSE rKnee(0.2077, 233.9, 15.44).time(0.05685);
      LIPOSE lKnee(0.7865, 368.7, 18.12).time(0.09082);
      POSE lAnkle(-0.02223, 113.8, 9.653);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(0.1908, 411.6, 59.87).joint(lHip);
      VPD rThigh(0.1721, -145.4, -13.86).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1132);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.527, 270.0, 14.26).time(0.01973);
      LIPOSE rAnkle(-0.2363, 74.1, 9.1).time(0.04554);
      LIPOSE lKnee(0.1213, 521.2, 33.86).time(0.07143);
      LIPOSE lAnkle(-0.191, 520.8, 8.828).time(0.08537);
      VPD uTorso(0.02713, 371.1, 54.11).joint(lHip);
      COMFB2 -0.02827 -0.3507 j lAnkle
      VPD rThigh(-1.1 + low - 2.437 * (edge_rise(lFoot) - 0.105), -119.7, -16.56).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.55 + 3.5 * (run - .33));
    ENDACTIONS
    TRANSITION to(2).after(time 0.2024);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.7435 + 2.0 * (edge_rise(lFoot) - 0.105), 164.6, 17.1).time(0.08948);
      LIPOSE rAnkle(0.01551, 58.56, 8.744).time(0.2312);
      LIPOSE lAnkle(-0.05652, 808.8, 9.734).time(0.0815);
      LIPOSE lKnee(0.2465, 750.2, 29.93).time(0.113);
      VPD uTorso(-0.1318, 382.8, 67.92).joint(lHip);
      COMFB2 0.2112 -0.2084 j lAnkle
      VPD rThigh(-0.5734 + low - 2.612 * (edge_rise(lFoot) - 0.105) - 0.7371 * (edge_distance(lFoot) - 0.1667), -184.0, -8.11).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.7 + 3.5 * (run - .33));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
