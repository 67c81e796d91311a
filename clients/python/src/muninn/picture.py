"""Pictures of a table."""

from __future__ import annotations


class Picture(str):
    """A picture as the server draws it: the text of an SVG, which a notebook shows, or one for a terminal, which it prints."""

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:
        getattr(printer, "text")(str(self) if not self.startswith("<svg") else f"<a picture of {len(self)} characters>")
