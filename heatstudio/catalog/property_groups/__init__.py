"""Property groups, such as "exactly one of": their structure, loading and verification."""
