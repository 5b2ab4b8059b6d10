"""Plans, pairings, journals and standings: values in, values out."""
