"""Every method on next words, held against a brute force that knows nothing of this project's ways to run rows."""
