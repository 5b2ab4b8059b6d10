"""The games of OpenSpiel as rules of the house.

The library ends its process on a wrong action or parameter. So it runs in a child, which is
told only what is known to be sound: games and parameters from files, and actions that the child
itself has listed. If the child ends nevertheless, that is an error of one command, and another is
started. `child` is the one module that imports `pyspiel`.
"""
