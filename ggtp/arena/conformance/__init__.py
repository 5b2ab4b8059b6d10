"""Whether an engine keeps the protocol: it is talked to as by any referee, and told what it does wrong."""
