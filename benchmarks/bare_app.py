"""The yardstick: a Textual app with one table of fifty rows, and nothing else."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import DataTable


class BareApp(App[None]):
    """One table; the arrow keys move its cursor."""

    def compose(self) -> ComposeResult:
        """The table."""
        yield DataTable(cursor_type="row")

    def on_mount(self) -> None:
        """Fifty rows."""
        self.animation_level = "none"
        table = self.query_one(DataTable)
        table.add_columns("initiative", "name", "HP")
        for number in range(50):
            table.add_row(number, f"Ghoul {number}", "18/18")
        table.focus()


if __name__ == "__main__":
    BareApp().run()
