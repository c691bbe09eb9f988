"""The values of properties as Heat computes them: converted, translated, checked against constraints."""
