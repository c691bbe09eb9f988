"""Random cases, compared with the real Heat engine if HEAT_PYTHON names a Python that has openstack-heat.

A failure prints its seed. HEATSTUDIO_SEED sets the seed, HEATSTUDIO_CASES the number of cases.
"""
