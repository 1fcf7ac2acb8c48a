"""Sentences of 45 to 60 words, written for the project: where a ladder takes long."""

from espalier.text import read

SHORTEST, LONGEST = 45, 60

SENTENCES = (
    "Although the director has gathered a remarkable cast and the first hour moves with real wit and warmth, the "
    "story soon forgets why it began, piles one tired coincidence upon another, and ends in a shouting match that "
    "is neither funny nor moving, whatever its makers may have hoped for",
    "What begins as a modest comedy about two sisters who inherit a bakery grows, scene by patient scene, into "
    "one of the most generous films of the year, full of quarrels that feel overheard rather than written, and of "
    "small acts of kindness that nobody on the screen takes the trouble to explain",
    "I wanted to like it, because the book meant a great deal to me when I was young, but every choice the script "
    "makes is the loud one, every silence is drowned in violins, and by the end the heroine has become a poster "
    "on which somebody has printed the word courage",
    "The chases are shot so close and cut so fast that you never know who is driving, the villain explains his "
    "plan three times, and still the thing has a goofy energy, an honest love of stunts and bad puns, that kept "
    "the whole row behind me giggling until the lights went up again",
    "Nothing in the trailer prepares you for how quiet this film is, how long it is willing to watch an old man "
    "repair a radio, or how much grief it finds in the moment when the music finally comes on and he reaches "
    "over, without a word, to turn the volume down",
    "For all its expensive rain and its famous faces, the picture never decides whether it wants to be a thriller "
    "or a sermon, so that whenever the tension rises somebody stops to make a speech, and whenever a speech "
    "threatens to become interesting somebody kicks in the door with a gun in each hand",
    "It is rare to see a sequel that understands what was lovely about the first film, rarer still to see one "
    "that dares to do something else, and if the middle sags a little under three plots too many, the last twenty "
    "minutes are so inventive and so tender that I forgave it everything",
    "Somewhere inside these two and a half hours of battles, prophecies and glowing swords there is a charming "
    "little story about a boy who is afraid of horses, and each time the film remembers it for a minute or two "
    "you can feel the audience wake up, smile, and then slowly sink back again",
    "The actors do what they can with lines that no human being has ever said aloud, the camera does what it can "
    "to hide that there are only two sets, and the composer, bless him, does far too much, so that the whole "
    "sorry enterprise feels less like a film than like a long apology",
    "She plays the detective as a woman who has not slept in a week and does not intend to, dry, impatient and "
    "very funny, and around her the film builds a city so damp, so crooked and so alive that I hardly minded when "
    "the murder turned out to have the silliest solution of all",
)


def long_sentences() -> tuple[str, ...]:
    """All of them, which are as long as they should be."""
    lengths = [len(read(sentence).words) for sentence in SENTENCES]
    assert all(SHORTEST <= length <= LONGEST for length in lengths), lengths
    return SENTENCES
