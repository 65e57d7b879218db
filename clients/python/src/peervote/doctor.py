"""``python -m peervote doctor``: what would go wrong with a run, before it costs GPU time.

The same checks as ``peervote doctor`` of the server, which needs no Python, and data sets in Parquet besides.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import uuid
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import quote as quote_path

from ._doctor_checks import Check, checks_to_json, fail, format_checks, has_failed, ok, skip
from ._doctor_cohort import CohortView, check_agents, check_cohort, check_k, check_seeds, parse_cohort_view
from ._doctor_data import check_ids, check_split, check_truths
from ._doctor_dry import make_dry_step
from ._doctor_pairs import check_pair
from ._doctor_rows import Columns, DataSet, TableError, read_table, to_data_row
from ._doctor_server import Link, Silence, check_address, check_agent_token, check_server, check_token, unreachable
from ._doctor_truths import TruthReader

#: Truths that are read in one request.
BATCH = 1000
MODES = ("boxed", "answer-tag", "gsm8k", "choice", "number", "regex", "code", "raw", "auto", "qwen", "vlm")
NAMED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(.+)$", re.DOTALL)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The exit code: 0 when nothing failed, else 1; 2 for options that cannot be read."""
    options = _parser().parse_args(arguments)
    checks = diagnose(options, os.environ)
    sys.stdout.write(checks_to_json(checks) if options.json else format_checks(checks))
    return 1 if has_failed(checks) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m peervote")
    doctor = parser.add_subparsers(dest="command", required=True).add_parser(
        "doctor", help="check a server, its cohort and the jobs' data sets before a run, and try a dry step of fakes"
    )
    env = os.environ
    add: Any = doctor.add_argument
    add("--url", default=env.get("PEERVOTE_URL") or "http://127.0.0.1:8080", help="where the server listens")
    add("--cohort", default=env.get("PEERVOTE_COHORT") or "default", help="which cohort")
    add("--token", default=env.get("PEERVOTE_TOKEN") or None, help="of an administrator, or what there is; default: PEERVOTE_TOKEN")
    several: Dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    add("--agent-token", metavar="AGENT=TOKEN", type=_agent_token, help="the jobs' own tokens", **several)
    add("--data", metavar="AGENT=FILE", help="the jobs' data sets: JSONL, JSON, CSV (.gz or not) or Parquet", **several)
    add("--eval", metavar="AGENT=FILE", help="their data sets for evaluation", **several)
    add("--k", metavar="AGENT=COUNT", type=_agent_count, help="what the trainers sample per prompt; a count alone is for all", **several)
    add("--seed", metavar="AGENT=SEED", type=_agent_count, help="seeds of the trainers; one alone is for all", **several)
    add("--order", choices=("file", "shuffle"), help="whether trainers keep the order of the file, or shuffle")
    add("--mode", choices=MODES, help="how truths are read; default: the cohort's")
    add("--id-column", metavar="NAME", help="where the prompt id is; default: as the adapters look for it")
    add("--prompt-column", metavar="NAME", help="where the problem is")
    add("--truth-column", metavar="NAME", help="where the ground truth is")
    add("--label-column", metavar="NAME", default="label", help="which column OpenRLHF and slime send as label")
    add("--no-dry-step", dest="dry_step", action="store_false", help="send no fakes")
    add("--json", action="store_true", help="print JSON")
    return parser


def _agent_token(text: str) -> Tuple[str, str]:
    agent, equals, token = text.partition("=")
    if not agent or not equals or not token:
        raise argparse.ArgumentTypeError("expected AGENT=TOKEN")
    return agent, token


def _agent_count(text: str) -> Tuple[str, int]:
    agent, equals, number = text.rpartition("=")
    if not re.fullmatch(r"\d+", number):
        raise argparse.ArgumentTypeError("expected a whole number, or AGENT=NUMBER")
    return (agent if equals else ""), int(number)


def diagnose(options: argparse.Namespace, env: Mapping[str, str]) -> List[Check]:
    """Every check of a run that is about to start: the server, its cohort, the data sets, and a dry step through it all."""
    link = Link(options.url, options.token)
    scratch = f"doctor-{uuid.uuid4().hex[:12]}"
    try:
        return _diagnose(link, options, env, scratch)
    finally:
        link.close()


def _diagnose(link: Link, options: argparse.Namespace, env: Mapping[str, str], scratch: str) -> List[Check]:
    checks, role, cohort = _ask_server(link, options, env, scratch)
    columns = Columns(options.id_column, options.prompt_column, options.truth_column, options.label_column)
    agents = None if cohort is None else [agent.name for agent in cohort.agents]
    training, opened = _open(options.data, "data", agents, columns)
    evaluation, opened_eval = _open(options.eval, "eval data", agents, columns)
    given = [data.agent for data in training]
    if cohort is not None:
        checks += [*check_agents(cohort, given), *check_k(cohort, dict(options.k))]
    checks += [*opened, *opened_eval]
    mode = options.mode or ("auto" if cohort is None else cohort.mode)
    reader = None if role is None else TruthReader(lambda items: _grade(link, items), mode)
    try:
        checks += _check_sets(training, reader, cohort)
    except Silence as silence:
        checks.append(fail("server", str(silence)))
    checks += [check_split(data, True) for data in evaluation]
    if len(given) > 1:
        checks.append(check_seeds(given, dict(options.seed), options.order))
    checks.append(_try_out(link, role, cohort, options, scratch))
    return checks


def _ask_server(
    link: Link, options: argparse.Namespace, env: Mapping[str, str], scratch: str
) -> Tuple[List[Check], Optional[str], Optional[CohortView]]:
    """What was found, the role of the token (``None``: the server cannot be asked), and the cohort."""
    checks = check_address(options.url, env)
    if has_failed(checks):
        return [*checks, unreachable("cohort")], None, None
    try:
        checks += check_server(link, _version())
        if has_failed(checks):
            return [*checks, unreachable("cohort")], None, None
        check, role = check_token(link, scratch)
        checks.append(check)
        if role != "anyone":
            checks += [check_agent_token(link, options.cohort, *each) for each in options.agent_token]
        if role is None:
            return [*checks, unreachable("cohort")], None, None
        reply = link.send("GET", f"/v1/cohorts/{quote_path(options.cohort, safe='')}", token=link.token)
    except Silence as silence:
        return [*checks, fail("server", str(silence)), unreachable("cohort")], None, None
    if reply.status != 200:
        return [*checks, fail("cohort", reply.detail)], role, None
    cohort = parse_cohort_view(reply.body)
    if cohort is None:
        says = "The server describes it in a way that this version cannot read."
        return [*checks, fail("cohort", says)], role, None
    return [*checks, *check_cohort(cohort)], role, cohort


def _version() -> str:
    from . import __version__

    return __version__


def _open(
    files: Sequence[str], kind: str, agents: Optional[Sequence[str]], columns: Columns
) -> Tuple[List[DataSet], List[Check]]:
    """The data sets of ``--data`` or ``--eval``, and what became of each file."""
    sets: List[DataSet] = []
    checks: List[Check] = []
    for agent, path in assign_agents(files, agents):
        name = f"{kind} {agent}"
        try:
            rows = tuple(to_data_row(row, number, columns) for number, row in enumerate(read_table(path), start=1))
        except TableError as error:
            checks.append(fail(name, f"{path} cannot be read: {error}."))
        except OSError as error:
            reason = "there is no such file" if isinstance(error, FileNotFoundError) else str(error.strerror or error)
            checks.append(fail(name, f"{path} cannot be read: {reason}."))
        else:
            sets.append(DataSet(agent, path, rows))
            checks.append(ok(name, f"{path} has {len(rows)} rows."))
    return sets, checks


def assign_agents(files: Sequence[str], agents: Optional[Sequence[str]]) -> List[Tuple[str, str]]:
    """The agent of each file: the one that is named, else one of the cohort that the file is called after, else the next of
    the cohort that has none. ``None``: the cohort is not known."""
    sources = [(match.group(1), match.group(2)) if (match := NAMED.match(text)) else (None, text) for text in files]
    stems = [re.sub(r"(\.(jsonl?|csv|parquet|gz))+$", "", Path(path).name, flags=re.IGNORECASE) for _, path in sources]
    taken = {agent or stem for (agent, _), stem in zip(sources, stems)}
    assigned: List[Tuple[str, str]] = []
    for (agent, path), stem in zip(sources, stems):
        if agent is None and agents is not None and stem not in agents:
            agent = next((name for name in agents if name not in taken), None)
            taken.add(agent or stem)
        assigned.append((agent or stem, path))
    return assigned


def _check_sets(sets: Sequence[DataSet], reader: Optional[TruthReader], cohort: Optional[CohortView]) -> List[Check]:
    """The data sets each for itself, and each against the first."""
    is_paid = cohort is not None and cohort.pays_truth
    waits = cohort is None or cohort.barrier != "last-label"
    checks: List[Check] = []
    for data in sets:
        checks += [check_ids(data), check_split(data, False)]
        checks.append(unreachable(f"truths {data.agent}") if reader is None else check_truths(data, reader, is_paid))
    for other in sets[1:]:
        first = sets[0]
        same_view = cohort is None or cohort.view_of(first.agent) == cohort.view_of(other.agent)
        checks += check_pair(first, other, reader, waits=waits, same_view=same_view)
    return checks


def _grade(link: Link, items: Sequence[Mapping[str, Any]]) -> List[Mapping[str, Any]]:
    results: List[Mapping[str, Any]] = []
    for start in range(0, len(items), BATCH):
        reply = link.send("POST", "/v1/grade", {"items": list(items[start : start + BATCH])}, link.token)
        if reply.status != 200:
            raise Silence(f"The server does not read ground truths: {reply.detail}")
        results += reply.body["results"]
    return results


def _try_out(
    link: Link, role: Optional[str], cohort: Optional[CohortView], options: argparse.Namespace, scratch: str
) -> Check:
    if not options.dry_step:
        return skip("dry step", "Not made: --no-dry-step.")
    if role is None:
        return unreachable("dry step")
    if cohort is None:
        return skip("dry step", "Not made: there is no cohort to copy.")
    if role not in ("anyone", "admin"):
        return skip("dry step", "Not made: it needs an admin token.")
    try:
        return make_dry_step(link, cohort, scratch)
    except Silence as silence:
        return fail("dry step", str(silence))
