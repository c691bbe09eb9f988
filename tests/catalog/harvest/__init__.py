"""Generation of the catalog from an installed Heat."""
