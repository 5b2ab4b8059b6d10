"""What engines share: trees, caches with a ceiling, and searches over compiled games and over positions."""
