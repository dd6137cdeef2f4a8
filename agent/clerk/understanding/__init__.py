"""Telling what a message means where its words alone do not say it."""
