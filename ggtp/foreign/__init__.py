"""The languages of other programs, as values: GGP's messages over HTTP, the Go Text Protocol, UCI."""
