"""The data set of one agent, checked for itself."""

from __future__ import annotations

from typing import Dict, List

from ._doctor_checks import Check, fail, ok, quote, warn
from ._doctor_rows import DataRow, DataSet
from ._doctor_truths import TruthReader, has_none, show

FOUND_IN = {
    "column": "their column",
    "label": "their label",
    "verl": "data source, split and index, as verl names them",
    "roll": 'column "id", which only ROLL sends: other trainers want a column "prompt_id"',
    "text": "a hash of the text, as OpenRLHF and slime do without a label: other trainers want a column \"prompt_id\"",
}


def check_ids(data: DataSet) -> Check:
    """Whether every row names its problem, each problem once."""
    name = f"ids {data.agent}"
    if not data.rows:
        return fail(name, "The data set has no rows.")
    by_text = all(row.source == "text" for row in data.rows)
    nameless = [row for row in data.rows if row.id is None or (row.source == "text" and not by_text)]
    if nameless:
        return fail(
            name,
            f"{len(nameless)} of {len(data.rows)} rows name no problem (first: row {nameless[0].row}): give each a "
            '"prompt_id" that is the same for all agents.',
        )
    seen: Dict[str, DataRow] = {}
    again: List[DataRow] = []
    for row in data.train:
        earlier = seen.setdefault(str(row.id), row)
        if earlier.text != row.text:
            return fail(
                name,
                f"Rows {earlier.row} and {row.row} are two problems under one id, {quote(str(row.id))}: give each its own.",
            )
        if earlier is not row:
            again.append(row)
    sources = list(dict.fromkeys(row.source or "text" for row in data.rows))
    source = ", and ".join(FOUND_IN[each] for each in sources)
    about = f"{len(data.train)} training rows, {len(seen)} problems, named by {source}."
    if again:
        return warn(
            name,
            f"{about} {len(again)} rows repeat a problem (first: row {again[0].row}, {quote(str(again[0].id))}): each is a "
            "visit of its own, unless one batch holds both.",
        )
    return warn(name, about) if {"text", "roll"} & set(sources) else ok(name, about)


def check_split(data: DataSet, is_eval: bool) -> Check:
    """Whether rows that are for evaluation say so, and can be graded. ``is_eval``: the whole file is."""
    name = f"eval {data.agent}"
    odd = next((row for row in data.rows if row.split is None), None)
    if odd is not None:
        return fail(name, f"Row {odd.row} has a split that is neither train nor eval, test or validation.")
    marked = [row for row in data.rows if row.split == "eval"]
    unmarked = len(data.rows) - len(marked)
    if is_eval and unmarked > 0:
        return fail(
            name,
            f"{unmarked} of {len(data.rows)} rows for evaluation are not marked, and would wait for the peer: "
            'give them split "eval".',
        )
    blind = [row for row in marked if has_none(row.truth)]
    if blind:
        return fail(
            name,
            f"{len(blind)} rows for evaluation have no ground truth to be graded by (first: row {blind[0].row}).",
        )
    if not marked:
        return ok(name, 'No row is marked for evaluation; rows that are for it need split "eval".')
    return ok(name, f"{len(marked)} rows are for evaluation, and graded at once.")


def check_truths(data: DataSet, reader: TruthReader, is_paid: bool) -> Check:
    """Whether ground truths can be read as answers. ``is_paid``: the method rewards by them."""
    name = f"truths {data.agent}"
    given = [row for row in data.rows if not has_none(row.truth)]
    if is_paid and len(given) < len(data.rows):
        return fail(
            name,
            f"{len(data.rows) - len(given)} of {len(data.rows)} rows have no ground truth, and the method rewards by it.",
        )
    if not given:
        return ok(name, "No ground truths: rewards need none, but accuracy of answers and labels is not shown.")
    unread = [(row, read) for row, read in zip(given, reader.read([row.truth for row in given])) if not read.readable]
    if not unread:
        return ok(name, f"All {len(given)} ground truths can be read in mode {reader.mode}.")
    first, read = unread[0]
    what = read.fault or f"is {quote(show(first.truth))}"
    problem = fail if is_paid else warn
    return problem(
        name,
        f"{len(unread)} of {len(given)} ground truths cannot be read in mode {reader.mode} (first: row {first.row}, which "
        f"{what}): nothing equals them. Choose the column with --truth-column, or the mode with --mode.",
    )
