# The long step of the right foot over a gap, from the left foot's contact before it to the right one's beyond it. The far edge of
# the gap is `further` (m) beyond 0.7 m ahead of the left toe.
BEGINSCRIPT stride_step(further)
  PHASE 0
    ACTIONS
      POSE neck2head(0), uTorso2neck(0);
      POSE waist(-0.205, 812.0, 97.16), lTorso2uTorso(-0.3295, 463.9, 81.99);
      POSE bWrist(0, 5, 3);
      LIPOSE rAnkle(0.7966 + further * 0.568 - 0.2142 * (com_vx - 1.254), 427.2, 12.23).time(0.1563);
      LIPOSE rKnee(1.12 + further * 0.2765, 227.4, 16.13).time(0.06192);
      LIPOSE lKnee(0.3735 + further * 0.4439 + 0.07726 * (com_vx - 1.292), 419.2, 19.62).time(0.09637);
      POSE lAnkle(0.2951 + further * 0.05998, 98.07, 9.595);
      LIPOSE rShoulder(0.06513, 33.03, 4.182).time(0.2303), lShoulder(-0.5362, 33.03, 4.182).time(0.2303);
      LIPOSE rElbow(-0.1541, 34, 3.62).time(0.5045), lElbow(-0.7244, 34, 3.62).time(0.5045);
      VPD uTorso(-0.1195 + further * 0.079, 408.1, 59.22).joint(lHip);
      VPD rThigh(0.05098 + further * -0.2527 + 0.08316 * (com_vx - 0.9955), -172.6, -15.06).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1503 + further * 0.1158 - 0.06815 * (com_vx - 1.308));
  ENDPHASE
  PHASE 1  # push off with the left leg
    ACTIONS
      LIPOSE rKnee(1.14 + further * -0.3044, 195.4, 15.22).time(0.02159);
      LIPOSE rAnkle(-0.4027, 78.92, 8.586).time(0.05441);
      LIPOSE lKnee(0.3108 + further * -0.3265, 609.7, 35.93).time(0.1135);
      LIPOSE lAnkle(0.2161 + further * 0.2609, 530.6, 12.32).time(0.1231);
      VPD uTorso(0.004462 + further * 0.2952 - 0.06301 * (com_vx - 1.275), 408.4, 51.8).joint(lHip);
      COMFB2 0.027 -0.3072 j lAnkle
      VPD rThigh(-0.5688 - further * 0.4798 + 0.1158 * (com_vx - 1.024), -148.8, -15.19).joint(rHip).flags(s);
      VFSFB uTorso(60).by(lAnkle).speed(1.726 + further * 1.585);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3113);
    TRANSITION to(2).after(nocontact lFoot);
  ENDPHASE
  PHASE 2  # the right leg reaches ahead
    ACTIONS
      LIPOSE rKnee(0.1705, 223.7, 17.51).time(0.1024);
      LIPOSE rAnkle(-0.04398, 67.04, 8.485).time(0.3075);
      LIPOSE lAnkle(0.2847, 643.5, 11.02).time(0.1048);
      LIPOSE lKnee(0.1409, 618.6, 25.45).time(0.1194);
      VPD uTorso(-0.1651, 470.7, 75.36).joint(lHip);
      COMFB2 0.4272 -0.1213 j lAnkle
      VPD rThigh(-0.6783, -185.9, -12).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact rFoot);
  ENDPHASE
ENDSCRIPT
