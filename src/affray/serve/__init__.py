"""The players' view as a page for their phones and a television: `affray watch --players --serve`.

It stands on packages that not everybody needs: the extra `affray[serve]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.parser.errors import Refused
from affray.serve.address import read_address

if TYPE_CHECKING:
    from affray.store.open_encounter import OpenEncounter


def serve(fight: OpenEncounter, address: str) -> None:
    """Serve a fight that is looked at, until ctrl+c. Raises Refused where that can't be."""
    where = read_address(address)
    try:
        from affray.serve.server import run
    except ModuleNotFoundError as missing:
        raise Refused(
            f"a page needs {missing.name}, which is not installed: pip install 'affray[serve]'"
        ) from None
    run(fight, where)
