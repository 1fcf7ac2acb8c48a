"""What is explained: one sentence of 60 words for the frames, several of 20 for the clock."""

SIXTY = (
    "Although the director has gathered a remarkable cast and the first hour moves with real wit and warmth, the story "
    "soon forgets why it began, piles one tired coincidence upon another, and ends in a shouting match that is neither "
    "funny nor moving, so that all I could feel on my way home was pity for the actors."
)

WARMING_UP = "The plot is thin and the jokes are old, but the two leads are so charming that I never minded."

TWENTIES = (
    "The songs are forgettable and the ending is rushed, but her quiet, funny performance kept me watching.",
    "What begins as a promising mystery turns, scene by scene, into a dull lecture that nobody in the room enjoyed.",
    "I expected another loud and empty sequel, yet this one is clever, unexpectedly tender and not a minute too long.",
)

WARMING_UP_WORDS = "The keys that the old guard had left on the kitchen table"

TWELVES = (
    "The common lobster lives in the eastern Atlantic Ocean and in parts",
    "She poured the coffee slowly and added milk and a spoonful of",
    "It never rains here in summer so nobody I know carries an",
)
"""Prompts of twelve words for the language model."""
