"""Groups of properties that belong together, such as "exactly one of": their structure, loading and verification."""
