"""How adapters read data set columns and completions; the same words in every trainer."""

from __future__ import annotations

import json
from typing import Any, Iterable, Mapping, Optional

from ._truths import is_missing

#: Names under which a data set may hold the prompt id, the first that is there.
PROMPT_ID_KEYS = ("prompt_id", "pid")
TRUTH_KEYS = ("ground_truth", "answer", "solution")
EVAL_WORDS = frozenset({"eval", "test", "val", "validation", "evaluation"})


def completion_text(completion: Any) -> str:
    """The text of a completion: a string, or messages, of which the assistant's are taken. One that is missing is
    empty: it holds no answer, and so abstains."""
    if isinstance(completion, str):
        return completion
    if is_missing(completion):
        return ""
    if isinstance(completion, Mapping):
        return _content_text(completion.get("content"))
    if isinstance(completion, Iterable):
        messages = [message for message in completion if isinstance(message, Mapping)]
        said = [message for message in messages if message.get("role", "assistant") == "assistant"]
        return "\n".join(_content_text(message.get("content")) for message in said)
    raise TypeError(f"A completion must be text or messages, not {type(completion).__name__}.")


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Iterable):
        parts = [part for part in content if isinstance(part, Mapping)]
        return "".join(str(part.get("text") or "") for part in parts)
    return ""


def first_of(row: Mapping[str, Any], keys: Iterable[str]) -> Any:
    """The first value under these keys that is not empty."""
    for key in keys:
        value = row.get(key)
        if not is_missing(value):
            return value
    return None


def read_label(label: Any) -> Mapping[str, Any]:
    """A label column: an object, a string that holds one, or the ground truth itself."""
    if isinstance(label, Mapping):
        return label
    if isinstance(label, str) and label.lstrip().startswith("{"):
        try:
            parsed = json.loads(label)
        except ValueError:
            return {"answer": label}
        if isinstance(parsed, dict):
            return parsed
    return {} if label is None else {"answer": label}


def to_split(word: Any) -> str:
    """``train`` or ``eval``. Raises ValueError for a word that says neither."""
    if word is None or word == "":
        return "train"
    lower = str(word).strip().lower()
    if lower in EVAL_WORDS:
        return "eval"
    if lower == "train":
        return "train"
    raise ValueError(f'The split "{word}" is neither train nor one of {", ".join(sorted(EVAL_WORDS))}.')


def require_prompt_id(value: Any, where: str) -> str:
    if is_missing(value):
        raise ValueError(f"{where} needs a prompt id that is the same in the data sets of all agents.")
    # A column of whole numbers with one gap is a column of floats for pandas.
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def to_plain(value: Any) -> Any:
    """A numpy scalar or array as JSON can carry it."""
    convert = getattr(value, "tolist", None)
    return convert() if callable(convert) else value


def is_column(values: Any, length: int) -> bool:
    """Whether it has one value for each sample: a list, or what behaves as one."""
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__getitem__"):
        return False
    try:
        return len(values) == length
    except TypeError:
        # An array without dimensions.
        return False


#: Enough of a prompt to see whether it ends inside of reasoning.
PROMPT_TAIL = 400


def prompt_tail(prompt: Any) -> Optional[str]:
    """The end of a prompt that came as text; of messages nobody knows what the template makes."""
    return prompt[-PROMPT_TAIL:] if isinstance(prompt, str) and prompt else None


def to_float(reward: Optional[float]) -> float:
    return 0.0 if reward is None else float(reward)
