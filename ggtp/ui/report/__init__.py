"""What a tournament's journal says, as text, JSON, CSV or a page for the browser."""
