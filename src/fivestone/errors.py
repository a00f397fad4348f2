"""Every error a user can cause. Each prints as one clear line and ends a command with exit code 2."""

__all__ = ["BadFile", "BadInput", "FivestoneError", "IllegalMove", "MissingExtra"]


class FivestoneError(Exception):
    """Something the user can put right; the message says how."""


class BadInput(FivestoneError):
    """An argument, spec or text that cannot be understood."""


class BadFile(FivestoneError):
    """A file that cannot be read or written, or whose content is not what it should be."""


class IllegalMove(FivestoneError):
    """A move that the rules do not allow; the message shows the position."""


class MissingExtra(FivestoneError):
    """An optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'fivestone[{extra}]'")
