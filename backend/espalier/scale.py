"""What a method's numbers are measured in. The scale is said in every result."""

from typing import Literal

Scale = Literal["probability", "log_probability", "log_odds", "margin", "logit"]

SCALES: dict[Scale, str] = {
    "probability": "The class's probability, 0 to 1.",
    "log_probability": "The logarithm of the class's probability.",
    "log_odds": "The logarithm of the class's odds: 0 is even, adds up over independent evidence.",
    "margin": "The class's probability minus that of the best other class.",
    "logit": "The model's raw score for the class, before it is made a probability.",
}
