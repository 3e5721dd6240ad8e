# The rest of a step of walk after a push. Both feet push until the body can pass over the left foot. Then the right foot is
# lifted high; the slower the body, the shorter the step.
BEGINSCRIPT walk_step_pushed(void)
  PHASE 0
    TRANSITION to(1).after(contact rFoot and when x(rFoot) < x(lFoot));
    TRANSITION to(3).after(when x(rFoot) > com_x - 0.0636);
    TRANSITION to(2).after(complete);
  ENDPHASE
  PHASE 1  # both feet push
    ACTIONS
      LIPOSE rAnkle(0.393, 420.5, 12.23).time(0.1363), rKnee(0.517, 257, 16.13).time(0.1);
      LIPOSE lKnee(0.211, 476.7, 25).time(0.1);
      POSE lAnkle(0.0633, 116.3, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      VPD uTorso(0.0487, 368.2, 59.22).joint(lHip);
      VPD rThigh(0.182, -176.4, -14.82).joint(rHip).flags(s);
      VFSFB uTorso(217).by(rAnkle).speed(1.04);
    ENDACTIONS
    TRANSITION to(2).after(when com_x + 0.204 * com_vx > x(lFoot) - 0.0336);
    TRANSITION to(2).after(time 0.5);
  ENDPHASE
  PHASE 2  # the right foot is lifted and moved ahead
    ACTIONS
      LIPOSE rKnee(1.3, 239.2, 15.22).time(0.02076), rAnkle(-0.684, 78.92, 8.586).time(0.05227);
      LIPOSE lKnee(-0.05, 484, 35.93).time(0.08936), lAnkle(-0.0552, 457.7, 12.32).time(0.0923);
      VPD uTorso(-0.0886, 397.9, 51.8).joint(lHip);
      VPD rThigh(-0.87, -116.5, -15.19).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(when x(rFoot) > com_x + 0.1);
    TRANSITION to(3).after(time 0.4);
  ENDPHASE
  PHASE 3  # and put down
    ACTIONS
      LIPOSE rKnee(-0.05, 206.8, 17.51).time(0.1044), rAnkle(-0.222, 63.27, 8.485).time(0.2);
      LIPOSE lAnkle(-0.33, 823.6, 11.02).time(0.07914), lKnee(0.185, 734.4, 25.45).time(0.1231);
      VPD uTorso(0.00305, 441, 75.36).joint(lHip);
      VPD rThigh(0.183 - 0.575 * com_vx, -182, -8.477).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
