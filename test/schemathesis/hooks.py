"""What Schemathesis does not know of by itself."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(_: Any, value: Any) -> Any:
    """A body of lines is sent as the text that it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
