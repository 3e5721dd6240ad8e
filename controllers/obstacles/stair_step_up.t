# A step up stairs with the right foot, from below the left foot's tread to the one above it. Treads are `run` (m) deep.
# The thigh swings lower by `low` (rad) than usual.
BEGINSCRIPT stair_step_up(run, low)
  PHASE 0
    ACTIONS
      POSE neck2head(0.0), uTorso2neck(0.0);
      POSE waist(0.01569, 1101.0, 105.6), lTorso2uTorso(-0.208, 459.6, 72.82);
      POSE lWrist(0.0, 5.0, 3.0), rWrist(0.0, 5.0, 3.0);
      LIPOSE rAnkle(0.5358 + 2.199 * (run - .33) + 2.421 * (edge_rise(lFoot) - 0.105) - 0.3573 * (com_vx - 0.75), 451.0, 11.55).time(0.1217);
      LIPOSE rKnee(0.243, 233.9, 15.44).time(0.05891);
      LIPOSE lKnee(0.7792 + 0.04126 * (edge_rise(lFoot) - 0.105) - 0.4101 * (run - .33) - 0.4092 * (com_vx - 0.75), 368.7, 18.12).time(0.08994);
      POSE lAnkle(-0.08132 - 0.9535 * (edge_rise(lFoot) - 0.105) + 0.1076 * (com_vx - 0.75), 113.8, 9.653);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34.0, 3.62).time(0.5045), lElbow(-0.7244, 34.0, 3.62).time(0.5045);
      VPD uTorso(0.02837 + 0.4766 * (edge_rise(lFoot) - 0.105) + 0.4628 * (run - .33) - 0.07729 * (com_vx - 0.75), 411.6, 59.87).joint(lHip);
      VPD rThigh(0.2541 + 0.5024 * (run - .33) - 0.4727 * (com_vx - 0.75), -145.4, -13.86).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1418);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rKnee(1.604 + 0.01095 * (edge_rise(lFoot) - 0.105) + 0.3256 * (run - .33), 270.0, 14.26).time(0.0176);
      LIPOSE rAnkle(-0.1791, 74.1, 9.1).time(0.0438);
      LIPOSE lKnee(0.1748 - 0.8511 * (edge_rise(lFoot) - 0.105) + 0.3997 * (run - .33), 521.2, 33.86).time(0.06608);
      LIPOSE lAnkle(-0.2631 + 0.4694 * (com_vx - 0.75) + 0.3582 * (run - .33), 520.8, 8.828).time(0.07957);
      VPD uTorso(0.06223 - 0.6033 * (run - .33), 371.1, 54.11).joint(lHip);
      COMFB2 -0.03474 -0.3147 j lAnkle
      VPD rThigh(-1.062 + low - 0.6229 * (run - .33) + 0.1759 * (com_vx - 0.75) + 0.2581 * (edge_distance(lFoot) - 0.17) - 3.434 * (edge_rise(lFoot) - 0.105), -119.7, -16.56).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.5526 - 1.462 * (edge_rise(lFoot) - 0.105) + 2.962 * (run - .33));
    ENDACTIONS
    TRANSITION to(2).after(time 0.2071);
  ENDPHASE
  PHASE 2
    ACTIONS
      LIPOSE rKnee(0.8453 + 1.744 * (edge_rise(lFoot) - 0.105), 164.6, 17.1).time(0.07966);
      LIPOSE rAnkle(0.008844, 58.56, 8.744).time(0.2329);
      LIPOSE lAnkle(-0.2727 - 0.4534 * (edge_rise(lFoot) - 0.105) - 0.01979 * (run - .33), 808.8, 9.734).time(0.08842);
      LIPOSE lKnee(0.1851 + 0.4011 * (edge_rise(lFoot) - 0.105) + 0.1322 * (run - .33), 750.2, 29.93).time(0.1137);
      VPD uTorso(-0.03158, 382.8, 67.92).joint(lHip);
      COMFB2 0.3397 -0.3432 j lAnkle
      VPD rThigh(-0.603 + low + 0.3841 * (run - .33) - 1.762 * (edge_rise(lFoot) - 0.105) - 0.5925 * (edge_distance(lFoot) - 0.1667), -184.0, -8.11).joint(rHip).flags(s);
      VFSFB pelvis(300).by(lAnkle).speed(0.8158 + 3.624 * (run - .33));
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
