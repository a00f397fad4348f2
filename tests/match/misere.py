"""Plain recursion over the game in which whoever completes a line loses."""

from fivestone.board import Board

__all__ = ["misere_value"]


def misere_value(board: Board, known: dict[bytes, int] | None = None) -> int:
    """1, 0 or -1 for the side to move: whether it can make the opponent complete a line, or must itself."""
    if board.winner is not None:
        return 1  # the opponent has just completed a line, and lost
    if board.is_over:
        return 0
    known = {} if known is None else known
    if board.stones not in known:
        best = -1
        for move in board.legal_moves:
            board.push(move)
            best = max(best, -misere_value(board, known))
            board.pop()
            if best == 1:
                break
        known[board.stones] = best
    return known[board.stones]
