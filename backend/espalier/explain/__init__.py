"""One file for each method, the plans they are written in, and what they find.

`espalier.explain(text, …)` is this package's name as well as the library's one call. Python makes a package an
attribute of its parent as soon as any of its files is imported, so the package itself can be called.
"""

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from espalier.library import explain

        return explain(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
