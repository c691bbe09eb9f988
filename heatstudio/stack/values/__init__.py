"""The values of properties as Heat computes them: converted, translated and validated."""
