"""The desktop program: a window with a menu and a board, for people who like a window better than a page."""

from fivestone.apps.desktop.window import DesktopApp, run_desktop

__all__ = ["DesktopApp", "run_desktop"]
