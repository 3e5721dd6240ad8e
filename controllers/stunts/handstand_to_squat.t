# From the handstand to the squat: the feet come down behind the hands, then the trunk rises.
SET TORQUELIMIT = 1000
BEGINSCRIPT handstand_to_squat(void)
  PHASE 0  # the weight to the heels of the hands, until the body falls that way
    ACTIONS
      LIPOSE bHip(-0.5, 600, 60).time(0.6);
      LIPOSE waist(0.1, 1200, 100).time(0.6);
      LIPOSE lTorso2uTorso(0.1, 1200, 100).time(0.6);
      VFFB uTorso(2500, 600).by(bWrist).over(joint rElbow);
      VFFB uTorso(1000, 300).by(bWrist).over(joint rWrist);
    ENDACTIONS
    TRANSITION to(1).after(when com_x - x(rHand) + com_vx / 3.2 < -.175 or time 2.0);
  ENDPHASE
  PHASE 1  # pike, the feet down
    ACTIONS
      LIPOSE bHip(-1.83, 600, 60).time(0.45);
      LIPOSE bKnee(0.5, 400, 50).time(0.4);
      LIPOSE bAnkle(-0.3, 200, 20).time(0.4);
      LIPOSE waist(0.5, 1200, 100).time(0.5);
      LIPOSE lTorso2uTorso(0.5, 1200, 100).time(0.5);
      LIPOSE bShoulder(-2.7, 1200, 100).time(0.5);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot or contact lFoot);
    TRANSITION to(fail).after(time 2.0);
  ENDPHASE
  PHASE 2  # the legs flex, the hands stay on the ground
    ACTIONS
      LIPOSE bHip(-2.0, 300, 50).time(0.3);
      LIPOSE bKnee(1.2, 250, 40).time(0.3);
      LIPOSE bAnkle(-0.5, 200, 30).time(0.3);
      LIPOSE bShoulder(-1.8, 200, 30).time(0.4);
      VFFB uTorso(1900, 350).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(3).after(time 0.25);
  ENDPHASE
  PHASE 3  # the trunk up into the squat
    ACTIONS
      LIPOSE waist(0.1, 600, 40).time(0.8);
      LIPOSE lTorso2uTorso(0.1, 600, 40).time(0.8);
      LIPOSE bHip(-1.7, 400, 50).time(0.8);
      LIPOSE bKnee(1.9, 300, 45).time(0.7);
      LIPOSE bAnkle(-0.55, 300, 45).time(0.7);
      LIPOSE bShoulder(-1.6, 200, 30).time(0.6);
      LIPOSE neck2head(0, 300, 30).time(0.6);
      LIPOSE uTorso2neck(0, 300, 30).time(0.6);
      VFFB uTorso(1900, 350).by(bAnkle).over(part rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(stable .3 and when phase_time > 1.2);
    TRANSITION to(fail).after(time 4);
  ENDPHASE
ENDSCRIPT
