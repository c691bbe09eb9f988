"""Endurance tests: random use of the real window, hours of editing, and kills at random moments."""
