"""The target of the checks: release and client versions."""
