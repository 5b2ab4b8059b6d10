"""Pictures and tables, drawn for terminals and pages."""
