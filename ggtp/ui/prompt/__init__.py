"""The prompt: a person at a terminal. Only `run_prompt` loads it, since it takes a while to import."""
