"""What a training's log is told, without a server; the clock is a list."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import Any, List, Optional, Tuple

import pytest

from peervote import GroupReward, Pending, Rewards, Waiting
from peervote._reporter import Reporter, reporter_of

EXPIRED = "llama sent no rollouts for this prompt before its deadline."
PENDING = Pending("s", (Waiting("llama", "p", 0, 3, 8),), 13)


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: List[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        assert record.levelno == logging.WARNING
        self.lines.append(record.getMessage())


def make(monkeypatch: pytest.MonkeyPatch, local_rank: Optional[str] = None) -> Tuple[Reporter, List[float], List[str]]:
    if local_rank is None:
        monkeypatch.delenv("LOCAL_RANK", raising=False)
    else:
        monkeypatch.setenv("LOCAL_RANK", local_rank)
    now, kept = [0.0], Kept()
    log = logging.Logger("kept")
    log.addHandler(kept)
    return Reporter("qwen", "http://h:1 (math)", 60.0, log=log, clock=lambda: now[0]), now, kept.lines


def group(status: str, reason: Optional[str] = None) -> GroupReward:
    return GroupReward("p", 0, status, None, None, ("llama",), "peer-vote", 0, reason, (0.0,), ())


def rewards(*groups: GroupReward, notices: Tuple[str, ...] = ()) -> Rewards:
    return Rewards("s", groups, {}, notices)


def test_a_wait_is_named_after_half_a_minute_and_again_each_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    times: List[float] = []
    for now[0] in [10.0, 30.0, 60.0] + [60.0 + 50 * i for i in range(1, 10)]:
        before = len(lines)
        reporter.waiting(now[0], PENDING, 7)
        times += [now[0]] * (len(lines) - before)
    assert times[0] == 30.0 and {b - a for a, b in zip(times[1:], times[2:])} == {50.0} and times[1] == 110.0
    assert lines[0] == (
        'peervote: qwen, step 7, has waited 30 s for llama (3 of 8 rollouts of prompt "p", and 12 more groups)'
    )


def test_a_sentence_of_the_server_that_is_new_does_not_wait_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    for now[0], notice in [(30.0, ()), (60.0, ("llama stopped at 4 of 8.",)), (85.0, ("llama stopped at 5 of 8.",))]:
        reporter.waiting(now[0], Pending("s", PENDING.waiting_for, 1, notice), None)
    assert [line.partition("; ")[2] for line in lines] == ["", "the server says: llama stopped at 4 of 8."]


def test_sentences_that_differ_each_time_do_not_flood_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    for second in range(0, 36_000):
        now[0] = float(second)
        reporter.waiting(100.0, Pending("s", (), 0, (f"notice {chr(97 + second % 26)}{chr(97 + second // 26 % 26)}",)), None)
    assert len(lines) <= 36_000 / 48 + 16


def test_thousands_of_calls_that_wait_make_a_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    with reporter.call(), reporter.call(), reporter.call():
        for second in range(0, 600):
            now[0] = float(second)
            for _ in range(50):
                reporter.waiting(float(second), PENDING, None)
    assert 9 <= len(lines) <= 13 and lines[0].endswith("(3 calls wait)")


def test_groups_without_a_label_are_counted_and_their_reason_told(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    groups = [group("expired", EXPIRED)] * 3 + [group("unlabeled")] * 2 + [group("scored")] * 11
    reporter.decided(rewards(*groups, notices=("llama is silent.",)), 12)
    assert lines == [
        "peervote: qwen, step 12: 3 of 16 groups expired (llama sent no rollouts for this prompt before its deadline), "
        "2 of 16 groups unlabeled. All rollouts of such a group are paid the same, so it teaches nothing. "
        "The server says: llama is silent."
    ]


def test_what_comes_between_two_lines_is_in_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    for step in range(0, 100):
        now[0] = float(step)
        reporter.decided(rewards(group("expired", EXPIRED), group("scored")), step)
    assert len(lines) == 3
    assert "step 0: 1 of 2 groups expired" in lines[0]
    assert "steps 1 to 48 (48 calls): 48 of 96 groups expired" in lines[1]


def test_another_reason_does_not_wait_for_the_turn_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    for second in range(0, 300):
        now[0] = float(second)
        status = ("unlabeled", "skipped", "expired")[min(second // 3, 2)]
        reporter.decided(rewards(group(status), group("unlabeled")), second)
    assert [line.partition(" groups ")[2].partition(",")[0].partition(".")[0] for line in lines[:3]] == [
        "unlabeled", "skipped", "expired"
    ]  # fmt: skip
    assert len(lines) <= 2 + 300 / 48 + 1


def test_a_run_that_is_fine_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    for step in range(0, 1_000):
        now[0] = step * 30.0
        reporter.waiting(29.0, PENDING, step)
        reporter.failing(3.0, "refused", 1800.0)
        reporter.decided(rewards(group("scored"), group("eval")), step)
    assert lines == []


def test_what_the_server_says_of_groups_that_were_paid_is_told_once_and_then_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    for second in range(0, 1_000):
        now[0] = float(second)
        reporter.decided(rewards(group("scored"), notices=("agreement is 1 at step 4.",)), second)
    assert lines == ["peervote: qwen. The server says: agreement is 1 at step 4."] * 3


def test_a_server_that_cannot_be_reached_is_named_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch)
    for now[0] in (0.0, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5):
        reporter.failing(now[0], "[Errno 111] Connection refused", 1800.0)
    assert lines[0] == (
        "peervote: qwen gets no rewards from http://h:1 (math) for 8 s: [Errno 111] Connection refused. It tries again, "
        "for 1800 s at most. Nobody listens there: is the server started, and is this its port?"
    )
    assert len(lines) == 2


def test_other_ranks_of_a_node_say_it_later_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, now, lines = make(monkeypatch, local_rank="3")
    for second in range(0, 600, 10):
        now[0] = float(second)
        reporter.waiting(float(second), PENDING, None)
    assert len(lines) == 2 and "150 s" in lines[0]


def test_python_shows_it_without_any_configuration() -> None:
    code = "from peervote._reporter import Reporter; from peervote import Pending; Reporter('a', 'u', 60.0).waiting(31.0, Pending('s'), None)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == "peervote: a has waited 31 s for nobody known yet\n"


def test_clients_of_an_agent_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    same: Any = ("qwen", "http://h:1 (math)", 60.0)
    assert reporter_of(*same) is reporter_of(*same) is not reporter_of("llama", *same[1:])
