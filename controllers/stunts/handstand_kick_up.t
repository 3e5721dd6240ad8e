# A kick-up: two steps of a walk, a lunge on the right leg with the hands to the floor, the left leg up, then both above the hands.
# The push ends when the centre of mass is fast enough to come to rest over the hands.
# Argument: hold, the time of the handstand at the end (s).
SCRIPTS simbicon.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT handstand_kick_up(hold)
  PHASE 0  # two steps of a walk
    > simbicon.t(0.3044, -0.05244, -2.502, -0.1877, 0.008511, 0.03814, -0.4483, 0.7716, 1.005, 0.1552, 0.03226, 0.07807,
        -0.2837);
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    ACTIONS
      POSE bShoulder(-1.629, 168, 36);
      POSE lKnee(0.006886);
      POSE rKnee(0.4279);
      POSE lHip(0.4608, 167, 31.5);
      POSE rHip(-0.9665, 167, 31.5);
      POSE rAnkle(0.06781);
      POSE lAnkle(0.2287);
      POSE bElbow(-0.3);
    ENDACTIONS
    TRANSITION to(2).after(time 0.4125);
  ENDPHASE
  PHASE 2  # bend down
    ACTIONS
      POSE waist(0.4016), lTorso2uTorso(0.5481);
      POSE bShoulder(-1.9);
      POSE bWrist(-1.6);
      POSE lKnee(0.04626, 414, 29.5);
      POSE rKnee(0.1555);
      POSE rHip(-0.9026, 222, 33.6);
      POSE lHip(0.52, 222, 33.6);
      POSE rAnkle(0.1164);
      POSE lAnkle(0.477);
      POSE bElbow(-0.03, 600, 60);
    ENDACTIONS
    TRANSITION to(3).after(time 0.1636);
  ENDPHASE
  PHASE 3  # hands to the ground
    ACTIONS
      POSE bShoulder(-2.442);
      POSE bWrist(-1.149, 100, 10);
      POSE rHip(-1.664);
      POSE lHip(0.2518);
      POSE rAnkle(0.8207);
    ENDACTIONS
    TRANSITION to(4).after(contact lHand);
    TRANSITION to(fail).after(time 1.634);
  ENDPHASE
  PHASE 4  # kick up
    ACTIONS
      POSE bShoulder(-2.8, 1000, 100);
      POSE bElbow(0.05, 2500, 120);
      POSE bWrist(-1.56, 100, 20);
      POSE rHip(-1.488);
      POSE lHip(0.4345, 279, 50);
      POSE rKnee(0.2025);
      POSE lKnee(0.09106);
      POSE rAnkle(0.005487);
      POSE lAnkle(0.005487);
    ENDACTIONS
    TRANSITION to(5).after(when com_x - x(rHand) + com_vx / 3.04 > 0.1432 and when phase_time > 0.09096 or time 0.6701);
  ENDPHASE
  PHASE 5  # legs together above
    ACTIONS
      LIPOSE waist(0.04407, 1000, 100).time(0.2448);
      LIPOSE lTorso2uTorso(-0.0253, 1000, 100).time(0.304);
      LIPOSE bShoulder(-2.93, 1000, 100).time(0.3646);
      LIPOSE bElbow(-0.07337, 1000, 100).time(0.311);
      LIPOSE rHip(-0.5395, 400, 60).time(0.2695);
      LIPOSE lHip(0.04716, 400, 60).time(0.2695);
      LIPOSE bKnee(0.4671, 400, 40).time(0.388);
      POSEFB bHip(0.245, 0.1118).on(part rHand);
      VFFB uTorso(1429.0, 302.8).by(bWrist).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(anglerange -0.6708 0.9904);
    TRANSITION to(6).after(time 0.6183);
  ENDPHASE
  PHASE 6
    ACTIONS
      LIPOSE bHip(0.02547, 800, 80).time(0.5788);
      LIPOSE bKnee(0.04187, 600, 60).time(0.616);
      LIPOSE waist(-0.07305, 1500, 120).time(0.4126);
      LIPOSE lTorso2uTorso(-0.1276, 1500, 120).time(0.3843);
      LIPOSE bShoulder(-3.149, 1500, 120).time(0.4583);
      LIPOSE bElbow(0.05, 1500, 120).time(0.5353);
      LIPOSE bWrist(-1.571, 100, 20).time(0.4486);
      POSEFB bHip(0.1232, 0.08631).on(part rHand);
      VFFB uTorso(3162.0, 998.1).by(bWrist).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(anglerange -1.97 2.034);
    TRANSITION to(-1).after(time hold);
  ENDPHASE
ENDSCRIPT
