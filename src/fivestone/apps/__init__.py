"""What people and tournament managers see: the web app, the desktop, the terminal and the Gomocup brain."""

__all__: list[str] = []
