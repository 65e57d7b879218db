"""Data sets as ``doctor`` reads them: files, and rows as the adapters and the server read them."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, List, Mapping, Optional, Tuple

from ._columns import PROMPT_ID_KEYS, TRUTH_KEYS, first_of, read_label, to_plain, to_split
from ._truths import is_missing, to_truth
from .verl import prompt_id_of

LABEL_IDS = ("pid", "prompt_id", "id")
LABEL_TRUTHS = ("answer", "ground_truth", "truth", "label")
PROMPT_COLUMNS = ("prompt", "problem", "question", "messages", "query", "input", "text")
#: What JavaScript calls white space, so that a hash of a text is the server's.
SPACES = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


@dataclass(frozen=True)
class Columns:
    """Which columns are read; ``None``: those that the adapters read."""

    id: Optional[str]
    prompt: Optional[str]
    truth: Optional[str]
    label: str


@dataclass(frozen=True)
class DataRow:
    """A row as an agent would send it."""

    #: From 1.
    row: int
    #: ``None``: it names no problem.
    id: Optional[str]
    #: Where the id was found; ``column``, ``label``, ``verl``, ``roll`` or ``text``.
    source: Optional[str]
    #: ``train`` or ``eval``; ``None``: its word is none for a split.
    split: Optional[str]
    truth: Any
    #: The problem, each run of white space as one space; empty where the row has none.
    text: str


@dataclass(frozen=True)
class DataSet:
    agent: str
    path: str
    rows: Tuple[DataRow, ...]

    @property
    def train(self) -> List[DataRow]:
        """The rows that vote."""
        return [row for row in self.rows if row.split == "train"]


class TableError(Exception):
    """A file cannot be taken for a data set; its text says why."""


def read_table(path: str) -> List[Mapping[str, Any]]:
    """The rows of a data set: JSONL, a JSON list, CSV (``.gz`` or not) or Parquet. Raises TableError and OSError."""
    if path.lower().endswith(".parquet"):
        return _read_parquet(path)
    raw = Path(path).read_bytes()
    try:
        text = (gzip.decompress(raw) if path.endswith(".gz") else raw).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError("it is no text in UTF-8") from None
    if re.search(r"\.csv(\.gz)?$", path, re.IGNORECASE):
        csv.field_size_limit(2**31 - 1)
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        return [{key: value or "" for key, value in row.items() if key is not None} for row in rows]
    return _read_list(text) if text.lstrip().startswith("[") else _read_lines(text)


def _read_list(text: str) -> List[Mapping[str, Any]]:
    try:
        rows = json.loads(text)
    except ValueError:
        raise TableError("it starts as a JSON list, but is none") from None
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    raise TableError("it is a JSON list of something else than objects")


def _read_lines(text: str) -> List[Mapping[str, Any]]:
    rows: List[Mapping[str, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise TableError(f"line {number} is no JSON") from None
        if not isinstance(row, dict):
            raise TableError(f"line {number} is no object")
        rows.append(row)
    return rows


def _read_parquet(path: str) -> List[Mapping[str, Any]]:
    Path(path).stat()
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        pass
    else:
        try:
            return parquet.read_table(path).to_pylist()
        except Exception as error:
            raise TableError(f"it is no Parquet that pyarrow reads ({error})") from error
    try:
        import pandas
    except ImportError:
        raise TableError("Parquet needs pyarrow: pip install pyarrow") from None
    try:
        return pandas.read_parquet(path).to_dict("records")
    except Exception as error:
        raise TableError(f"it is no Parquet that pandas reads ({error})") from error


def to_data_row(raw: Mapping[str, Any], row: int, columns: Columns) -> DataRow:
    """A row of a data set, read as the adapters and the server read it. ``row`` counts from 1."""
    info = _mapping(raw.get("extra_info"))
    label = read_label(to_plain(raw.get(columns.label)))
    prompt = first_of(raw, PROMPT_COLUMNS) if columns.prompt is None else raw.get(columns.prompt)
    text = _text_of(to_plain(prompt))
    if columns.truth is None:
        truth = first_of(raw, TRUTH_KEYS)
        truth = _mapping(raw.get("reward_model")).get("ground_truth") if truth is None else truth
        truth = first_of(label, LABEL_TRUTHS) if truth is None else truth
    else:
        truth = raw.get(columns.truth)
    word = first_of({"row": raw.get("split"), "info": info.get("split"), "label": label.get("split")}, ("row", "info", "label"))
    try:
        split: Optional[str] = to_split(word)
    except ValueError:
        split = None
    found, source = _identify(raw, info, label, text, columns.id)
    return DataRow(row, found, source, split, to_truth(truth), text)


def _identify(
    raw: Mapping[str, Any], info: Mapping[str, Any], label: Mapping[str, Any], text: str, column: Optional[str]
) -> Tuple[Optional[str], Optional[str]]:
    if column is not None:
        value = raw.get(column)
        return (None if is_missing(value) else str(value)), "column"
    own = first_of(raw, PROMPT_ID_KEYS)
    named = first_of(info, PROMPT_ID_KEYS) if own is None else own
    if named is not None:
        return str(named), "column"
    labelled = first_of(label, LABEL_IDS)
    if labelled is not None:
        return str(labelled), "label"
    if not is_missing(info.get("index")):
        return prompt_id_of(raw.get("data_source"), info), "verl"
    if not is_missing(raw.get("id")):
        return str(raw["id"]), "roll"
    if not text:
        return None, None
    return f"text-{hashlib.sha256(text.encode()).hexdigest()[:16]}", "text"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text_of(prompt: Any) -> str:
    """The problem of a prompt: text, or messages, of which the user's last counts."""
    if isinstance(prompt, str):
        return _tidy(prompt)
    if not isinstance(prompt, (list, tuple)):
        return ""
    said = [message for message in prompt if isinstance(message, Mapping) and message.get("role") == "user"]
    content = said[-1].get("content") if said else None
    return _tidy(content) if isinstance(content, str) else ""


def _tidy(text: str) -> str:
    return SPACES.sub(" ", text).strip(" ")
