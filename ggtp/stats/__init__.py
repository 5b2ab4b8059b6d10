"""What results are worth: ratings with their errors, sequential tests, comparisons over many rules."""
