"""Questions about passages: learning where the answer is, and scoring what was found."""
