"""`python -m espalier.engine.worker.start`: a worker, begun without looking for garbage.

Nothing of what is imported is garbage, and looking for it takes a sixth of the time until the first model is there.
`Worker` looks again when all that stays has been loaded.
"""

import gc

if __name__ == "__main__":
    gc.disable()
    from espalier.engine.worker.__main__ import main

    main()
