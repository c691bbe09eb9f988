"""Cases that are made up anew in each run, held against the real engine where HEAT_PYTHON names a Python that has it.

The seed is printed with a failure. HEATSTUDIO_SEED gives one, HEATSTUDIO_CASES how many cases are made.
"""
