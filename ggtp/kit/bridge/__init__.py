"""Engines whose moves are chosen by a program that speaks another protocol."""
