"""What an analysis reads: texts, files, project files and git."""
