# Rises to an upright stand and balances there until everything is at rest.
# Arguments: rise, the time in which legs and shoulders reach the pose; hold, the minimum time before it may end (s).
BEGINSCRIPT stand(rise, hold)
  PHASE 0
    ACTIONS
      POSE neck2head(0, 1000, 100), uTorso2neck(0, 1000, 100), waist(0, 600, 10), lTorso2uTorso(0, 600, 60);
      POSE rElbow(0, 1000, 100), lElbow(0, 1000, 100), rWrist(0, 100, 10), lWrist(0, 100, 10);
      LIPOSE rShoulder(0).time(rise), lShoulder(0).time(rise);
      LIPOSE rHip(0).time(rise), lHip(0).time(rise);
      LIPOSE rKnee(0).time(rise), lKnee(0).time(rise);
      LIPOSE rAnkle(0).time(rise), lAnkle(0).time(rise);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(when angle(bKnee) < 0.3 and (when com_x + 0.316 * com_vx + 0.03 * spin(uTorso) > x(bFoot) + 0.075 or when com_x + 0.316 * com_vx + 0.03 * spin(uTorso) < x(bFoot) - 0.1));
    TRANSITION to(1).after(time hold);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(when angle(bKnee) < 0.3 and (when com_x + 0.316 * com_vx + 0.03 * spin(uTorso) > x(bFoot) + 0.075 or when com_x + 0.316 * com_vx + 0.03 * spin(uTorso) < x(bFoot) - 0.1));
    TRANSITION to(-1).after(stable .01);
  ENDPHASE
  # Reaction to a push. It begins if the legs are straight and the capture point is farther from the middle of the feet than in
  # shipped motions without a push (0.316 s: time constant of the inverted pendulum; the trunk's spin counts too). The ankles
  # bring the centre of mass back, with less torque as a foot tips; trunk and arms turn in the direction of the fall.
  PHASE 2
    ACTIONS
      POSE bHip(0.5 * (x(bFoot) - com_x) - 0.65 * com_vx, 1000, 40), waist(0.6 * com_vx, 600, 30);
      POSE bShoulder(5 * com_vx, 470, 36), bKnee(0), bAnkle(0, 0, 20);
      VF (5300 * (x(bFoot) - com_x) - 1050 * com_vx + 2200 * (orientation(bFoot) + slope(x(bFoot))), 0, 0).on(bShin).by(bAnkle);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(3).after(time 0.5 and when com_vx < 0.05 and when com_vx > -0.05 and when spin(uTorso) < 0.3 and when spin(uTorso) > -0.3);
  ENDPHASE
  # Back to the pose. The phase ends when the capture point is near the middle of the feet.
  PHASE 3
    ACTIONS
      LIPOSE bHip(0).time(0.5), waist(0, 600, 10).time(0.5), bShoulder(0).time(0.5), bAnkle(0).time(0.5);
      VF (5300 * (x(bFoot) - com_x) - 1050 * com_vx + 2200 * (orientation(bFoot) + slope(x(bFoot))), 0, 0).on(bShin).by(bAnkle);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time 0.5 and when com_x + 0.316 * com_vx < x(bFoot) + 0.04 and when com_x + 0.316 * com_vx > x(bFoot) - 0.05);
  ENDPHASE
ENDSCRIPT
