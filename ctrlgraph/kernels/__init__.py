"""Pure compiled functions on arrays: kinematics, PD control, virtual forces, inverse kinematics, balance."""
