"""The legal commands, narrowed down by clicks on the picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .games import CommandPage
from .kinds import Command
from .rest import models as m
from .rest.types import Unset


@dataclass(frozen=True)
class Option:
    """A legal command."""

    command: Command
    """Ready to be sent."""
    spots: tuple[str, ...]
    """The values of `data-spot` in the picture that it names, in the order of clicks."""
    label: str
    """In words."""


@dataclass(frozen=True)
class Choice:
    """A value: each click gives a new one."""

    options: tuple[Option, ...]

    @staticmethod
    def of(page: CommandPage) -> Choice:
        """The choice in what `legal-commands?include=spots,labels` answers."""
        spots = page.spots if not isinstance(page.spots, Unset) else [[] for _ in page.items]
        labels = page.labels if not isinstance(page.labels, Unset) else [type(command).__name__ for command in page.items]
        return Choice(tuple(Option(command, tuple(at), label) for command, at, label in zip(page.items, spots, labels, strict=True)))

    @property
    def spots(self) -> frozenset[str]:
        """The spots that tell the commands apart."""
        counts = Counter(spot for option in self.options for spot in set(option.spots))
        return frozenset(spot for spot, count in counts.items() if count < len(self.options) or len(self.options) == 1)

    @property
    def buttons(self) -> tuple[Option, ...]:
        """The commands that no such spot leads to."""
        spots = self.spots
        return tuple(option for option in self.options if spots.isdisjoint(option.spots))

    def click(self, spot: str) -> Choice:
        """What is left after a click. A spot that tells nothing apart changes nothing."""
        return Choice(tuple(option for option in self.options if spot in option.spots)) if spot in self.spots else self
