"""A file of texts on this machine."""

from pathlib import Path

from espalier.datasets.forms import LARGEST_FILE, File
from espalier.problems import BadParameter


def read_file(path: Path, text_column: str | None = None, label_column: str | None = None) -> File:
    """Its contents, refused with the line where they are not UTF-8."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise BadParameter(
                f"too large a file: got {path.name} of {size:,} bytes, possible are up to {LARGEST_FILE:,}"
            )
        content = path.read_bytes()
    except OSError as error:
        raise BadParameter(f"cannot read {str(path)!r}: got {error.strerror}, possible is a file of texts") from None
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadParameter(
            f"line {line} of {path.name} is not UTF-8: got the byte 0x{content[error.start]:02x}, possible is the file "
            "saved as UTF-8"
        ) from None
    return File(name=path.name, content=decoded, text_column=text_column, label_column=label_column)
