"""The controllers behind the menus: files, navigation, refactorings, quick fixes, conversion."""
