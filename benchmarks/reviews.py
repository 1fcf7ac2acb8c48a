"""Ten reviews of 150 to 400 words, put together from sentences that were written for it; or those of a file."""

import random
from pathlib import Path

SHORTEST, LONGEST = 150, 400

SENTENCES = """
I went in expecting nothing and left with my mouth open.
The first half hour is slow, and the music does not help at all.
But then the daughter comes home, and from that scene on the film never puts a foot wrong.
Every line she says is funny and sad at once.
I have not seen a better performance this year.
The ending, which some will call too neat, made my neighbour cry.
There are faults, of course.
The editing is nervous, and the dialogue in the kitchen scenes could have been half as long.
Nobody seems to have told the composer that silence exists.
Still, what stays with you is the warmth between the two leads, who play sisters without ever playing at being sisters.
Take somebody you have quarrelled with, and you will leave arm in arm.
The plot, if that is the word, hangs on a letter that any child would have opened.
What follows is two hours of people not saying what everybody in the room already knows.
The camera loves rain, windows, and rain on windows.
It is not that the director has no ideas; it is that he has one, and shows it to us eleven times.
Halfway through, a man behind me laughed at a line that was meant to break our hearts.
I cannot blame him.
And yet there is one scene, in an empty swimming pool, that I would not have missed for anything.
The boy who plays the younger brother has a face that the story does not deserve.
You believe him even when the script makes it very hard.
If only the rest of the film had trusted him as much as I did.
The jokes are old, the chases are tired, and the villain explains his plan to a cat.
My daughter, who is nine, asked whether we could go home.
We stayed, because I had paid for the popcorn.
To be fair, the dance at the end is a delight, and the costumes are gorgeous throughout.
This is a small film about a large grief, and it never raises its voice.
Its heroine repairs clocks, which sounds like a symbol and turns out to be a job.
The script gives her room to be wrong, to be petty, and to be kind for no reason.
I did not expect to laugh, and I laughed often.
The supporting cast is uneven, but the landlady alone is worth the ticket.
Critics will complain that nothing happens.
What happens is that somebody learns to sleep again, and we are allowed to watch.
The effects are loud, expensive and curiously dull.
By the third explosion I was counting the seats.
There is talent here, and it has been buried under a mountain of money.
The sequel is announced before the credits have ended, which is either confidence or a threat.
Do not be fooled by the trailer, which contains both of the good jokes.
For all its clumsiness it has a heart, and the heart is in the right place.
I have seen it twice now, and the second time was better than the first.
The sound is muddy, the picture is dark, and none of that matters once the old man begins to sing.
Some stories are told so often that only the telling counts, and this one is told beautifully.
It left me cold.
""".strip().split("\n")


def reviews(file: Path | None, count: int = 10) -> list[str]:
    """Of a file (a text a line) the first so many of a fitting length; otherwise our own, of growing length."""
    if file is not None:
        lines = file.read_text(encoding="utf-8").split("\n")
        return [line for line in lines if SHORTEST <= len(line.split()) <= LONGEST][:count]
    steps = max(1, count - 1)
    return [_review(number, SHORTEST + (LONGEST - SHORTEST - 10) * number // steps) for number in range(count)]


def _review(seed: int, words: int) -> str:
    """Whole sentences, none of them twice, that are at least so many words together and no more than the longest."""
    chosen: list[str] = []
    length = 0
    for sentence in random.Random(seed).sample(SENTENCES, len(SENTENCES)):
        if length >= words:
            break
        if length + len(sentence.split()) <= LONGEST:
            chosen.append(sentence)
            length += len(sentence.split())
    return " ".join(chosen)
