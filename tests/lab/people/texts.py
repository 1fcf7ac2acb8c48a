"""Short reviews for small studies: written for it, some kind, some not."""

TEXTS = (
    "A lovely , warm film .",
    "It is not good .",
    "Dull from start to end !",
    "A fine cast wasted .",
    "Funny , sad and true .",
    "Too long and too loud .",
    "I loved every minute .",
    "The plot makes no sense .",
    "A small , quiet triumph .",
    "Boring beyond belief .",
    "Smart and beautifully made .",
    "The jokes never land .",
    "A feast for the eyes .",
    "Hardly a dull moment .",
)
