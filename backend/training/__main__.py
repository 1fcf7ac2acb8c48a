"""`python -m training MODEL`: make a shipped model again, from its data to its folder.

The small transformer of sentiment has three stages, the last of which asks its teacher (sst2-smollm2) and needs it.
"""

import argparse
from pathlib import Path

from training.adapters import RECIPES, refined
from training.adapters import train as train_adapter

WORD_MODELS = ("sst2-bow", "sst2-cnn", "sst2-lstm")
REVIEW_MODELS = ("imdb-bow", "imdb-cnn", "imdb-lstm")
LANGUAGE_MODEL = "word-lstm-lm"
MASKED_MODELS = ("mlm-general", "mlm-movies")
REFINED = ("sst2-minilm",)
TEACHER = "sst2-smollm2"
PARSER = "minilm-benepar"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Train a shipped model again.")
    arguments.add_argument(
        "model", choices=[*RECIPES, *WORD_MODELS, *REVIEW_MODELS, *MASKED_MODELS, LANGUAGE_MODEL, TEACHER, PARSER]
    )
    arguments.add_argument(
        "--resume", action="store_true", help=f"go on from the last checkpoint ({TEACHER}; language models always do)"
    )
    given = arguments.parse_args()
    model = given.model
    if model in RECIPES:
        train_adapter(model)
        if model in REFINED:
            from training.distil import main as distil

            train_adapter(model, refined(model))
            distil()
    elif model in WORD_MODELS:
        from training.words import main as train_words

        train_words([model])
    elif model in REVIEW_MODELS:
        from training.reviews import main as train_reviews

        train_reviews([model])
    elif model in MASKED_MODELS:
        from training.masked import train as train_masked

        train_masked(model)
    elif model == LANGUAGE_MODEL:
        from training.next_word import main as train_language_model

        train_language_model()
    elif model == TEACHER:
        from training.teacher import train as train_teacher

        train_teacher(given.resume)
    else:
        from training.parser import RANK, export, train

        checkpoint = Path("parser-checkpoint.pt")
        train(checkpoint, epochs=8)
        export(checkpoint, RANK)


if __name__ == "__main__":
    main()
