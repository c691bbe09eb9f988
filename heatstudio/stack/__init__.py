"""Stacks as Heat defines them: functions, parameters, conditions, environments, resources."""
