"""Training: self-play, learning, measuring, and the loop that never loses a game."""

__all__: list[str] = []
