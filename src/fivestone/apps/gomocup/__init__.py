"""The Gomocup brain: the engine that tournament managers and other programs talk to."""

from fivestone.apps.gomocup.brain import Brain, PlayerFactory
from fivestone.apps.gomocup.inbox import Inbox

__all__ = ["Brain", "Inbox", "PlayerFactory"]
