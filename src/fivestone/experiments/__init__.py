"""The source systems' experiments, each a function that measures and a command that prints."""

__all__: list[str] = []
