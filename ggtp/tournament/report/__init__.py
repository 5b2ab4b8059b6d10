"""What a tournament has shown: all figures as values, and as JSON and CSV."""
