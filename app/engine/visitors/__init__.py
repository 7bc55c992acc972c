"""What belongs to visitors, for all page processes alike: in this one, or in one process of a cluster."""
