# A step up stairs with the right foot, from below the left foot's tread to the one above it. Treads are `run` (m) deep.
# The thigh swings lower by `low` (rad) than usual; `flat` (m^2) is 0 for usual rises and grows towards lower ones.
BEGINSCRIPT stair_step_up(run, low, flat)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(0.02644, 1101.0, 105.6), lTorso2uTorso(-0.2114, 459.6, 72.82);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.54 + 2.252 * (run - .33) + 2.508 * (edge_rise(lFoot) - 0.105) - 0.09565 * (com_vx - 0.75) - 50.02 * flat, 451.0, 11.55).time(0.1125);
      LIPOSE rKnee(0.2235 + 6.558 * flat, 233.9, 15.44).time(0.05515);
      LIPOSE lKnee(0.8025 - 0.03485 * (edge_rise(lFoot) - 0.105) - 0.5571 * (run - .33) - 0.4745 * (com_vx - 0.75), 368.7, 18.12).time(0.09391);
      POSE lAnkle(-0.05486 - 0.8879 * (edge_rise(lFoot) - 0.105) + 0.1075 * (com_vx - 0.75) - 29.49 * flat, 113.8, 9.653);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(0.05541 + 0.4444 * (edge_rise(lFoot) - 0.105) + 0.3272 * (run - .33) - 0.04995 * (com_vx - 0.75), 411.6, 59.87).joint(lHip);
      VPD rThigh(0.2501 + 0.4432 * (run - .33) - 0.2931 * (com_vx - 0.75) - 42.39 * flat, -145.4, -13.86).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.14);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.622 + 0.1205 * (edge_rise(lFoot) - 0.105) + 0.3084 * (run - .33) - 16.41 * flat, 270.0, 14.26).time(0.01902);
      LIPOSE rAnkle(-0.1692 + 17.53 * flat, 74.1, 9.1).time(0.04313);
      LIPOSE lKnee(0.1707 - 0.8395 * (edge_rise(lFoot) - 0.105) + 0.3422 * (run - .33) + 7.642 * flat, 521.2, 33.86).time(0.06562);
      LIPOSE lAnkle(-0.2566 + 0.2617 * (com_vx - 0.75) + 0.3915 * (run - .33) + 33.65 * flat, 520.8, 8.828).time(0.08);
      VPD uTorso(0.07824 - 0.7518 * (run - .33) - 50.23 * flat, 371.1, 54.11).joint(lHip);
      COMFB2 -0.01441 -0.3107 j lAnkle
      VPD rThigh(-1.019 + low - 0.5452 * (run - .33) + 0.1698 * (com_vx - 0.75) + 0.1833 * (edge_distance(lFoot) - 0.17) - 3.509 * (edge_rise(lFoot) - 0.105) - 9.538 * flat, -119.7, -16.56).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.5389 - 1.419 * (edge_rise(lFoot) - 0.105) + 2.92 * (run - .33) - 34.84 * flat);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2077);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.8503 + 1.753 * (edge_rise(lFoot) - 0.105) + 8.519 * flat, 164.6, 17.1).time(0.07709);
      LIPOSE rAnkle(-0.02168 - 54.34 * flat, 58.56, 8.744).time(0.2291);
      LIPOSE lAnkle(-0.2882 - 0.6825 * (edge_rise(lFoot) - 0.105) + 0.004134 * (run - .33) + 10.6 * flat, 808.8, 9.734).time(0.08833);
      LIPOSE lKnee(0.2069 + 0.4971 * (edge_rise(lFoot) - 0.105) + 0.2162 * (run - .33) - 18.35 * flat, 750.2, 29.93).time(0.1216);
      VPD uTorso(-0.05284 - 16.81 * flat, 382.8, 67.92).joint(lHip);
      COMFB2 0.3012 -0.3628 j lAnkle
      VPD rThigh(-0.6353 + low + 0.5444 * (run - .33) - 1.8 * (edge_rise(lFoot) - 0.105) - 0.5885 * (edge_distance(lFoot) - 0.1667), -184.0, -8.11).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.8047 + 3.498 * (run - .33) - 53.15 * flat);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
