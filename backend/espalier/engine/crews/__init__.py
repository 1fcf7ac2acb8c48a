"""Crews do the work: they take jobs and questions, and say what happens. None of them knows the store."""
