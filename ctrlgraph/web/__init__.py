"""The live page: a motion that is simulated again, from where it changes, as its scripts are edited."""
