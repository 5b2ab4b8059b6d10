"""What all trees over positions share: statistics of moves, and tree policies, which choose moves by them."""
