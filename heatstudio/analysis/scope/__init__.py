"""The input of checks: recorded reads, branches of conditions, function calls, similar names."""
