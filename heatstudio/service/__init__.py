"""What every face of the program shares: one engine, workspace files, git. Knows neither Qt nor the network."""
