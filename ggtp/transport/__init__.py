"""Lines of text between the referee and its engines: sockets, pipes and processes, and nothing about GGTP.

    base        Wire, the referee's end of one engine's channel
    zmq         ... over ZeroMQ (the default)
    tcp         ... over plain TCP
    stdio       ... over the engine's standard input and output
    memory      ... inside one process, for tests
    stream      what the first three have in common
    lines       how lines are laid in a stream of bytes, and
    zmtp        ... how ZeroMQ does it
    process     EngineProcess: an engine program from its start to its end
    family      ... and all the processes that it makes
    words       ... and what it prints
    refusal     ... and why it could not be started
    client      Channel, the engine's end of any of these

Importing this package imports none of them: an engine pays only for the channel that it uses.
"""
