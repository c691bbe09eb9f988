"""Conversion of templates between HOT and CFN."""
