"""Copies of an engine that think for it: in processes, or on a cluster."""
