"""What a tournament plays: players, rules, clocks, and what faults cost."""
