"""Child processes: started, watched, bounded and ended here and nowhere else."""
