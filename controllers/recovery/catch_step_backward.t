# When pushed from the front, or after leaning out of balance: one quick step back stops the fall, and the other foot moves
# beside it.
BEGINSCRIPT catch_step_backward(void)
  PHASE 0  # upright, waiting; without a push, a lean starts the fall
    ACTIONS
      POSE neck2head(0, 60, 10), uTorso2neck(0, 60, 10), waist(0.07522, 587, 51.97),
          lTorso2uTorso(0.1686, 798.1, 50.81);
      LIPOSE bAnkle(-0.07071, 289.6, 11.12).time(0.2565), bHip(-0.1217, 478, 31.69).time(0.2886),
          bKnee(0.0863, 410.9, 48.22).time(0.2938);
      VFSFB uTorso(300).by(bAnkle).speed(-.3);
    ENDACTIONS
    TRANSITION to(1).after(when com_x + .32 * com_vx < x(lFoot) - .11);
    TRANSITION to(fail).after(time 3);
  ENDPHASE
  PHASE 1  # lift the right foot and move it back
    ACTIONS
      LIPOSE rKnee(0.9242, 197.2, 17.38).time(0.06219), rAnkle(-0.565, 125.4, 7.797).time(0.04722);
      LIPOSE lKnee(0.1058, 355.8, 21.85).time(0.1416), lAnkle(-0.02858, 307.3, 10.48).time(0.3175);
      LIPOSE bShoulder(-0.1467, 24.82, 5.343).time(0.184), bElbow(-0.291, 43.52, 3.395).time(0.2335);
      VPD uTorso(-0.07694, 375.3, 72.51).joint(lHip);
      COMFB2 -0.2667 -0.1659 j lAnkle
      VPD rThigh(-0.04844, -134.1, -24.04).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time 0.2527);
  ENDPHASE
  PHASE 2  # put it down behind
    ACTIONS
      LIPOSE rKnee(0.238, 233, 16.57).time(0.1199), rAnkle(-0.2052, 76.02, 10.23).time(0.1636);
      LIPOSE lKnee(0.2656, 469, 24.56).time(0.1199), lAnkle(-0.2184, 262.6, 17.44).time(0.2894);
      VPD uTorso(-0.0667, 336.9, 78.72).joint(lHip);
      COMFB2 -0.01053 -0.253 j lAnkle
      VPD rThigh(-0.02148, -134.8, -29.66).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot and time 0.05279);
    TRANSITION to(3).after(time .35);
  ENDPHASE
  PHASE 3  # the body stops
    ACTIONS
      LIPOSE rKnee(0.3866, 445.1, 35.5).time(0.2059), rAnkle(-0.1602, 327, 32.2).time(0.09191);
      LIPOSE lKnee(0.3028, 199.9, 29.37).time(0.2059), lAnkle(-0.07265, 69.98, 11.19).time(0.3269);
      VFFB uTorso(537.2, 547.5).by(rAnkle).over(part rFoot);
      VPD uTorso(-0.01538, 449.1, 67.71).joint(rHip);
      VPD lThigh(-0.3722, -155.3, -17.84).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time 0.4219);
  ENDPHASE
  PHASE 4  # the left foot follows
    ACTIONS
      LIPOSE rKnee(0.2891, 449.5, 35.17).time(0.1655), rAnkle(-0.1833, 165, 19.15).time(0.2612);
      LIPOSE lKnee(0.8621, 286.9, 17.27).time(0.15), lAnkle(-0.3752, 70.24, 5.908).time(0.09366);
      VFFB uTorso(1129, 484.4).by(rAnkle).over(part rFoot);
      VPD uTorso(0.09761, 525, 43.34).joint(rHip);
      VPD lThigh(-0.3985, -192.9, -17.32).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(time 0.3198);
  ENDPHASE
  PHASE 5  # the left foot comes down beside it
    ACTIONS
      LIPOSE rHip(-0.07479, 550.2, 88.83).time(0.2654), rKnee(0.2628, 351.3, 37.36).time(0.6275),
          rShoulder(0.09359, 37.16, 10.42).time(0.459), rElbow(0.001174, 43.42, 8.189).time(0.4227);
      LIPOSE lShoulder(0.09359, 37.16, 10.42).time(0.459), lElbow(0.001174, 43.42, 8.189).time(0.4227);
      MATCH lHip.to(rHip).time(0.2407), lKnee.to(rKnee).time(0.2407), lAnkle.to(rAnkle).time(0.2407);
      VFFB uTorso(1311, 351.9).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(6).after(time 0.5184);
  ENDPHASE
  PHASE 6
    > stand.t(.8, .8);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
