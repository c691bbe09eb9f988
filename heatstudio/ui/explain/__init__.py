"""The page of a diagnostic code: what it means, why, an example and the fix; and the user guide."""
