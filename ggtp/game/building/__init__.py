"""What several rules are made of: turns, boards, stones, cards, tricks, betting, phantom games."""
