"""Computes statistics over many sessions; every number comes with its sample size and uncertainty.

``facts`` reduces each session to one row, ``grouping`` decides which rows may be counted together,
and ``report`` computes all numbers about a group from its rows. ``intervals`` holds the confidence
intervals.
"""
