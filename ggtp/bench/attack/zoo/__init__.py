"""Evil engines: a program that plays TicTacToe correctly but for one way to misbehave.

`ways` is the table of ways with what each must cost, for whoever attacks a referee; `engine` is the program, and the
other modules are its parts. The program imports nothing of the project but these modules, so that it starts fast and
so that a mistake of ours is not made twice.
"""
