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
      POSE bShoulder(-2.45);
      POSE bWrist(-1.3, 100, 10);
      POSE rHip(-1.577);
      POSE lHip(0.2493);
      POSE rAnkle(0.7584);
    ENDACTIONS
    TRANSITION to(4).after(contact lHand);
    TRANSITION to(fail).after(time 1.634);
  ENDPHASE
  PHASE 4  # kick up
    ACTIONS
      POSE bShoulder(-2.6, 1000, 100);
      POSE bElbow(0.04, 2500, 120);
      POSE bWrist(-1.5, 100, 20);
      POSE rHip(-1.34);
      POSE lHip(0.5, 279, 50);
      POSE rKnee(0.1);
      POSE lKnee(0.109);
      POSE rAnkle(-0.02383);
      POSE lAnkle(-0.02383);
    ENDACTIONS
    TRANSITION to(5).after(when com_x - x(rHand) + com_vx / 3.2 > .143 and when phase_time > .1 or time .6);
  ENDPHASE
  PHASE 5  # legs together above
    ACTIONS
      LIPOSE waist(0.06317, 1000, 100).time(0.2829);
      LIPOSE lTorso2uTorso(-0.09203, 1000, 100).time(0.262);
      LIPOSE bShoulder(-2.95, 1000, 100).time(0.4023);
      LIPOSE bElbow(-0.05, 1000, 100).time(0.32);
      LIPOSE rHip(-0.5061, 400, 60).time(0.3263);
      LIPOSE lHip(0.1278, 400, 60).time(0.3263);
      LIPOSE bKnee(0.3794, 400, 40).time(0.3586);
      POSEFB bHip(0.1, 0.1).on(part rHand);
      VFFB uTorso(1559.0, 315.8).by(bWrist).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(anglerange -0.6708 0.9904);
    TRANSITION to(6).after(time 0.5712);
  ENDPHASE
  PHASE 6
    ACTIONS
      LIPOSE bHip(0, 800, 80).time(.6);
      LIPOSE bKnee(0, 600, 60).time(.6);
      LIPOSE waist(-0.15, 1500, 120).time(.4);
      LIPOSE lTorso2uTorso(-0.1, 1500, 120).time(.4);
      LIPOSE bShoulder(-3.1, 1500, 120).time(.5);
      LIPOSE bElbow(-0.05, 1500, 120).time(.5);
      LIPOSE bWrist(-1.6, 100, 20).time(.5);
      POSEFB bHip(0.1, 0.1).on(part rHand);
      VFFB uTorso(3500, 900).by(bWrist).over(cop);
    ENDACTIONS
    TRANSITION to(fail).after(anglerange -1.97 2.034);
    TRANSITION to(-1).after(time hold);
  ENDPHASE
ENDSCRIPT
