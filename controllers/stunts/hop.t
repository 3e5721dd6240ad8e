# A hop forward with both feet, from the stand and back to it.
SCRIPTS stand.t;
SET TORQUELIMIT = 1000
BEGINSCRIPT hop(void)
  PHASE 1 # bring the arms up
    ACTIONS
      POSE rElbow(-1.751), lElbow(-1.751);
      POSE rHip(0.269, 1782, 126.6), lHip(0.269, 1782, 126.6);
      POSE rKnee(0.2874, 411.2, 75.69), lKnee(0.2874, 411.2, 75.69);
      POSE rAnkle(-0.2209, 2542, 157.9), lAnkle(-0.2209, 2542, 157.9);
    ENDACTIONS
    TRANSITION to(2).after(time 0.3911);
  ENDPHASE
  PHASE 2 # lean forward
    ACTIONS
      POSE rElbow(-0.5759, 30.65, 17.83), lElbow(-0.5759, 30.65, 17.83);
      POSE rShoulder(-0.1438, 208.2, 52.81), lShoulder(-0.1438, 208.2, 52.81);
      POSE rHip(-0.6867, 121.5, 33.48), lHip(-0.6867, 121.5, 33.48);
      POSE rKnee(0.626, 105.9, 28.03), lKnee(0.626, 105.9, 28.03);
      POSE rAnkle(-1.416, 103.3, 81.23), lAnkle(-1.416, 103.3, 81.23);
    ENDACTIONS
    TRANSITION to(3).after(time 0.2165);
  ENDPHASE
  PHASE 3 # bend the knees
    ACTIONS
      POSE rHip(-0.7627, 144, 64.64), lHip(-0.7627, 144, 64.64);
      POSE rKnee(0.952, 221.2, 19.43), lKnee(0.952, 221.2, 19.43);
      POSE rAnkle(-0.8469, 74.33, 6.781), lAnkle(-0.8469, 74.33, 6.781);
    ENDACTIONS
    TRANSITION to(4).after(time 0.1573);
  ENDPHASE
  PHASE 4 # jump
    ACTIONS
      POSE rShoulder(-0.6778, 81.65, 26.18), lShoulder(-0.6778, 81.65, 26.18);
      VPD uTorso(0.9863, 294.4, 77).joint(lHip);
      VPD uTorso(0.9863, 294.4, 77).joint(rHip);
      VF (-199.8, -1584, -6.893).on(rFoot).by(rHip);
      VF (-199.8, -1584, -6.893).on(lFoot).by(lHip);
      POSE rAnkle(0.178), lAnkle(0.178);
    ENDACTIONS
    TRANSITION to(5).after(nocontact rFoot);
  ENDPHASE
  PHASE 5 # in the air
    ACTIONS
      POSE rHip(-0.7317, 678.9, 222), lHip(-0.7317, 678.9, 222);
      POSE rKnee(0.5964, 1283, 81.81), lKnee(0.5964, 1283, 81.81);
      POSE rAnkle(-0.1534), lAnkle(-0.1534);
      POSE rShoulder(-0.8344, 114.6, 23.98), lShoulder(-0.8344, 114.6, 23.98);
    ENDACTIONS
    TRANSITION to(7).after(contact rFoot);
  ENDPHASE
  PHASE 7 # land and stand
    > stand.t(0.9887, 0.9155);
    TRANSITION to(-1).after(fallen x 0.6434);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
