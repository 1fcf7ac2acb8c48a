"""What Python and TypeScript both must know to draw and to write alike: one file, which both read.

colour       stops of the diverging scale, from what speaks against the class to what speaks for it, on light and on
             dark paper; the two sides of bars and lines, by theme or on paper of any colour; and what else is drawn
             on light paper: ink, quieter ink, faint marks, lines, the track of a bar, what is chosen
numbers      how numbers are written: `decimals`, or more (up to `most_decimals`) where even the largest number of a
             picture is below `small_below`
thresholds   adds_up: values that miss the prediction by more than this share of the picture are drawn from zero;
             rounding: share of a picture's largest number below which another is rounding of single precision, not a
             finding; clear: standard errors that a number must be away from zero to be one; ninety_five: standard
             errors to either side that hold a value in 95 of 100 draws; longest_quote: characters of a phrase that a
             sentence can carry
formulas     beginnings of what spreadsheets compute instead of showing it: in CSV such a text gets an apostrophe
captions     what pictures say of themselves: what a whisker is
scales       zero_is_a_tie: those on which zero speaks for neither side
next_words   of language models: what all words are called that were not looked at, and how many are looked at unasked
levels       worth: the method by which parts of a long text are shaded, level by level
players      what one player of each kind is called

`tests/shared/vectors.json` has examples of what is written and drawn with these; the tests of both languages run them.
"""

import json
from pathlib import Path
from typing import Any

APPEARANCE: dict[str, Any] = json.loads(Path(__file__).with_name("appearance.json").read_text(encoding="utf-8"))
