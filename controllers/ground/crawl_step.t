# Half a cycle of the crawl: right knee and left hand step; mirrored, left knee and right hand.
BEGINSCRIPT crawl_step(void)
  PHASE 0  # lift the right knee and the left hand
    ACTIONS
      POSE neck2head(-.2, 60, 10), uTorso2neck(-.2, 60, 10);
      LIPOSE waist(0.1844, 783.6, 43.67).time(0.2747), lTorso2uTorso(0.1128, 584.9, 32.51).time(0.1086);
      LIPOSE lShoulder(-1.904, 134.2, 16.59).time(0.1873), lElbow(-1.123, 173.1, 11.35).time(0.09033),
          lWrist(-1.146, 1, 2.279).time(0.117);
      LIPOSE rHip(-2.15, 435.6, 30.65).time(0.114), rKnee(2.611, 322.3, 18.26).time(0.1086),
          rAnkle(0.9163, 39.95, 3.858).time(0.1032);
      LIPOSE rShoulder(-1.127, 420.1, 51.25).time(0.3534), rElbow(0.05, 241.7, 37.93).time(0.09511),
          rWrist(-1.389, 19.08, 2.22).time(0.1936);
      LIPOSE lHip(-1.377, 417.1, 40.3).time(0.166), lKnee(1.641, 322.3, 22.59).time(0.154),
          lAnkle(0.95, 21.94, 4.753).time(0.1032);
    ENDACTIONS
    TRANSITION to(1).after(time 0.1643);
  ENDPHASE
  PHASE 1  # put them down ahead, the body moves forward over the others
    ACTIONS
      LIPOSE lShoulder(-1.798, 275.5, 22.16).time(0.1436), lElbow(0.04101, 158.7, 26.97).time(0.2311),
          lWrist(-1.497, 6.984, 4.828).time(0.1775);
      LIPOSE rHip(-1.331, 234.1, 46.41).time(0.3163), rKnee(1.519, 177.9, 27.7).time(0.1679);
      LIPOSE rShoulder(-0.9319, 400.7, 85.21).time(0.3371);
      LIPOSE lHip(-0.7993, 438.7, 64.02).time(0.1539), lKnee(1.708, 177.9, 51.16).time(0.325);
    ENDACTIONS
    TRANSITION to(-1).after(contact rShin and contact lHand and time 0.2724);
    TRANSITION to(-1).after(time 0.6);
  ENDPHASE
ENDSCRIPT
