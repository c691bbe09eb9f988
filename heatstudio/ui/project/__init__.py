"""The files pane: the files of the open folder."""
