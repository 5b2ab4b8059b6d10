"""Carries out what the referee decides. The one room that is asynchronous."""
