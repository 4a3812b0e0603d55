"""What each leg, weight and profile is worth: all of them, then each without one."""
