"""GGTP: a referee and supervisor for all discrete games.

protocol    text, messages, states of a conversation     pure
game        rules, positions, the record as a tree       pure
referee     events in, effects out: decides              pure
catalogue   finds rules and engines by name
transport   sockets, pipes and processes
driver      asyncio: carries out effects, feeds events
kit         what an engine program imports
ui          prompt, batch and command line
"""

__version__ = "0.1.0"
