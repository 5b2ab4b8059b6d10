"""The reference reasoner: plays any rulesheet from its clauses, and is the judge of everything faster."""
