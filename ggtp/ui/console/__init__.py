"""What every command line program of the project needs: streams, arguments, progress, lists."""
