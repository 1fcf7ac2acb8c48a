"""Measures beside people: do explanations that measure well also tell people what the model predicts?"""
