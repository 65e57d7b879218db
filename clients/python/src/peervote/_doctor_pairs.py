"""The data sets of two agents, held against each other."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ._doctor_checks import Check, Problem, fail, ok, quote, warn
from ._doctor_rows import DataRow, DataSet
from ._doctor_truths import TruthReader, has_none, show


def check_pair(
    one: DataSet, other: DataSet, reader: Optional[TruthReader], *, waits: bool, same_view: bool
) -> List[Check]:
    """What the data sets of two agents have in common, and whether they come in one order."""
    pair = f"{one.agent}, {other.agent}"
    problem = fail if waits else warn
    left, right = one.train, other.train
    if not left or not right:
        return []
    left_by_id, right_by_id = _by_id(left), _by_id(right)
    common = [name for name in left_by_id if name in right_by_id]
    if not common:
        return [
            problem(
                f"ids {pair}",
                f"They have no problem in common ({quote(left[0].id or '')} against {quote(right[0].id or '')}): each would "
                "wait for prompts that the other never sends. Make both from one table.",
            )
        ]
    checks = [
        _check_common(one.agent, left_by_id, other.agent, right_by_id, f"ids {pair}", problem),
        _check_order(left, left_by_id, right, right_by_id, f"order {pair}", problem),
    ]
    if reader is not None:
        checks += _check_same_truths([(left_by_id[each], right_by_id[each]) for each in common], reader, f"truths {pair}")
    texts = [(left_by_id[each].text, right_by_id[each].text, each) for each in common]
    odd = [each for mine, theirs, each in texts if mine and theirs and mine != theirs]
    if same_view and odd:
        checks.append(
            warn(
                f"texts {pair}",
                f"{len(odd)} of {len(common)} problems have another text under the same id (first: {quote(odd[0])}): if they "
                "are other problems, the ids count rows of two orders.",
            )
        )
    return checks


def _check_same_truths(pairs: Sequence[Tuple[DataRow, DataRow]], reader: TruthReader, name: str) -> List[Check]:
    both = [(a, b) for a, b in pairs if _is_usable(a.truth) and _is_usable(b.truth)]
    unlike = [(a, b) for a, b in both if show(a.truth) != show(b.truth)]
    equal = reader.are_equal([(a.truth, b.truth) for a, b in unlike]) if unlike else []
    torn = [pair for pair, same in zip(unlike, equal) if not same]
    if torn:
        mine, theirs = torn[0]
        return [
            fail(
                name,
                f"{len(torn)} of {len(both)} problems have another ground truth under the same id (first: "
                f"{quote(mine.id or '')}, {quote(show(mine.truth))} against {quote(show(theirs.truth))}): their ids name "
                "different problems, which the server refuses with 409.",
            )
        ]
    return [ok(name, f"The ground truths of {len(both)} common problems are the same.")] if both else []


def _is_usable(truth: Any) -> bool:
    return not has_none(truth) and not (isinstance(truth, Mapping) and list(truth) != ["target"])


def _check_common(
    one: str, left: Mapping[str, DataRow], other: str, right: Mapping[str, DataRow], name: str, problem: Problem
) -> Check:
    only_left = [each for each in left if each not in right]
    only_right = [each for each in right if each not in left]
    if not only_left and not only_right:
        return ok(name, f"All {len(left)} problems are in both.")
    said = ", ".join(
        f"{len(ids)} only in {agent} (first: {quote(ids[0])})"
        for agent, ids in ((one, only_left), (other, only_right))
        if ids
    )
    return problem(
        name,
        f"{len(left) - len(only_left)} problems are in both, {said}: those wait for the deadline and get no label. "
        "Filter once, for all agents.",
    )


def _check_order(
    left: Sequence[DataRow],
    left_by_id: Mapping[str, DataRow],
    right: Sequence[DataRow],
    right_by_id: Mapping[str, DataRow],
    name: str,
    problem: Problem,
) -> Check:
    mine = [row for row in left if row.id in right_by_id]
    theirs = [row for row in right if row.id in left_by_id]
    for here, there in zip(mine, theirs):
        if here.id != there.id:
            return problem(
                name,
                f"They come in another order: from row {here.row} ({quote(here.id or '')}) against row {there.row} "
                f"({quote(there.id or '')}) on. Shuffle once, before the data sets are made.",
            )
    if len(mine) != len(theirs) or len(left) != len(right):
        return warn(
            name,
            f"{len(left)} training rows against {len(right)}: the order is the same, but a trainer that shuffles by its "
            "seed makes another one of other counts.",
        )
    return ok(name, f"All {len(left)} training rows come in the same order.")


def _by_id(rows: Sequence[DataRow]) -> Dict[str, DataRow]:
    """The first row of each problem."""
    found: Dict[str, DataRow] = {}
    for row in rows:
        if row.id is not None:
            found.setdefault(row.id, row)
    return found
