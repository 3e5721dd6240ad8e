# A step up stairs with the right foot, from below the left foot's tread to the one above it. Treads are `run` (m) deep.
# The thigh swings lower by `low` (rad) than usual; `flat` (m^2) is 0 for usual rises and grows towards lower ones.
BEGINSCRIPT stair_step_up(run, low, flat)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(0.08197 + slope(com_x), 1101.0, 105.6), lTorso2uTorso(-0.2058, 459.6, 72.82);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.5962 + 2.256 * (run - .33) + 2.849 * (edge_rise(lFoot) - 0.105) - 0.07183 * (com_vx - 0.75) - 53.85 * flat, 451.0, 11.55).time(0.131);
      LIPOSE rKnee(0.2995 + 10.48 * flat, 233.9, 15.44).time(0.05515);
      LIPOSE lKnee(0.7154 - 0.001785 * (edge_rise(lFoot) - 0.105) - 0.4154 * (run - .33) - 0.4785 * (com_vx - 0.75), 368.7, 18.12).time(0.1206);
      POSE lAnkle(0.03296 - 0.2811 * (edge_rise(lFoot) - 0.105) + 0.1248 * (com_vx - 0.75) - 28.82 * flat, 113.8, 9.653);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(0.05541 + 0.4444 * (edge_rise(lFoot) - 0.105) + 0.31 * (run - .33) - 0.1004 * (com_vx - 0.75), 411.6, 59.87).joint(lHip);
      VPD rThigh(0.2367 + 0.3787 * (run - .33) - 0.3015 * (com_vx - 0.75) - 33.37 * flat, -145.4, -13.86).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1359);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.61 + 0.1205 * (edge_rise(lFoot) - 0.105) + 0.4744 * (run - .33) - 15.95 * flat, 270.0, 14.26).time(0.01902);
      LIPOSE rAnkle(-0.1692 + 19.5 * flat, 74.1, 9.1).time(0.04313);
      LIPOSE lKnee(0.1754 - 0.7062 * (edge_rise(lFoot) - 0.105) + 0.3568 * (run - .33) + 2.5 * flat, 521.2, 33.86).time(0.1282);
      LIPOSE lAnkle(-0.2751 + 0.3143 * (com_vx - 0.75) + 0.3803 * (run - .33) + 29.2 * flat, 520.8, 8.828).time(0.04499);
      VPD uTorso(0.1585 - 0.7682 * (run - .33) - 47.4 * flat, 371.1, 54.11).joint(lHip);
      COMFB2 -0.03956 -0.286 j lAnkle
      VPD rThigh(-1.048 + low - 0.5679 * (run - .33) + 0.1721 * (com_vx - 0.75) + 0.1833 * (edge_distance(lFoot) - 0.17) - 3.595 * (edge_rise(lFoot) - 0.105) - 14.25 * flat, -119.7, -16.56).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.3773 - 1.419 * (edge_rise(lFoot) - 0.105) + 3.031 * (run - .33) - 34.18 * flat);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2242);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.8987 + 3.007 * (edge_rise(lFoot) - 0.105) + 4.574 * flat, 164.6, 17.1).time(0.07709);
      LIPOSE rAnkle(-0.02168 - 51.32 * flat, 58.56, 8.744).time(0.2291);
      LIPOSE lAnkle(-0.264 - 0.6825 * (edge_rise(lFoot) - 0.105) - 0.1349 * (run - .33) + 1.462 * flat, 808.8, 9.734).time(0.08833);
      LIPOSE lKnee(0.176 + 0.4971 * (edge_rise(lFoot) - 0.105) + 0.1994 * (run - .33) - 30 * flat, 750.2, 29.93).time(0.1558);
      VPD uTorso(-0.009932 - 21.4 * flat, 382.8, 67.92).joint(lHip);
      COMFB2 0.1711 -0.3633 j lAnkle
      VPD rThigh(-0.6706 + low + 0.5493 * (run - .33) - 1.557 * (edge_rise(lFoot) - 0.105) - 0.5885 * (edge_distance(lFoot) - 0.1667), -184.0, -8.11).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.7974 + 3.687 * (run - .33) - 46.44 * flat);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
