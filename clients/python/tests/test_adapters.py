"""Adapters as their trainers call them, without the trainers: shapes that the packages under trainers/ do not cover."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Optional, Tuple

import pytest

import peervote.slime
from peervote import Group, PeerVote, Rollout, WaitTimeoutError
from peervote._columns import completion_text, first_of, read_label, to_split
from peervote._truths import to_truth
from peervote.areal import score_episode
from peervote.nemo_rl import score_conversations
from peervote.openrlhf import label_of, reward_url
from peervote.swift import PeerVoteORM
from peervote.trl import PeerVoteReward
from peervote.verl import PeerVoteRewardManager, compute_score
from server import Server

MakeCohort = Callable[..., str]


class Array:
    """As numpy's arrays and scalars are: no truth value, no JSON, but ``tolist``."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def tolist(self) -> Any:
        return self._value

    def __bool__(self) -> bool:
        raise ValueError("The truth value of an array is ambiguous")

    def __eq__(self, other: object) -> Any:
        return Array([other])

    __hash__ = None  # type: ignore[assignment]


class Column:
    """As a column of an array."""

    def __init__(self, values: List[Any]) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, place: int) -> Any:
        return self._values[place]


class Trainer:
    """As a trainer that calls the reward function."""

    def __init__(self, reward: PeerVoteReward, num_generations: int) -> None:
        self.num_generations = num_generations
        self.callback_handler = None
        self._reward = reward

    def add_callback(self, _: Any) -> None:
        pass

    def score(self, *arguments: Any, **columns: Any) -> List[Optional[float]]:
        return self._reward(*arguments, **columns)


def teach(server: Server, cohort: str, answers: Dict[str, str], k: int = 2) -> None:
    """Agent b's votes, so that nobody has to wait."""
    with PeerVote(server.url, cohort, "b", timeout_s=0.01) as b:
        groups = [Group(prompt, [Rollout(answer=answer)] * k) for prompt, answer in answers.items()]
        with suppress(WaitTimeoutError):
            b.rewards(groups)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, server: Server) -> Callable[[str], None]:
    def use(cohort: str) -> None:
        for key, value in {"URL": server.url, "COHORT": cohort, "AGENT": "a"}.items():
            monkeypatch.setenv(f"PEERVOTE_{key}", value)

    return use


class TestTrl:
    def test_mixes_prompts_splits_and_messages_in_one_slice(self, server: Server, cohort: MakeCohort) -> None:
        name = cohort()
        teach(server, name, {"p": "4", "q": "6"})
        logged: Dict[str, float] = {}
        extra: Dict[str, List[Any]] = {}
        reward = PeerVoteReward(server.url, name, "a")
        rewards = reward(
            prompts=["p", "q", "p", "e"],
            completions=[
                "\\boxed{4}",
                [{"role": "assistant", "content": "\\boxed{5}"}],
                "\\boxed{9}",
                [{"role": "assistant", "content": [{"type": "text", "text": "\\boxed{7}"}]}],
            ],
            completion_ids=[[1, 2], [1], [1], [1]],
            trainer_state=SimpleNamespace(global_step=12, epoch=0.5),
            log_extra=lambda column, values: extra.update({column: values}),
            log_metric=lambda key, value: logged.update({key: value}),
            prompt_id=["p", "q", "p", "e"],
            ground_truth=[None, None, None, "7"],
            split=["train", "train", "train", "eval"],
            environments=None,
        )
        assert rewards == [1.0, 0.0, 0.0, 1.0] and {type(each) for each in rewards} == {float}
        # Of "q" only one of two answers is in: its label stays hidden until the other one is.
        assert extra == {"peervote_answer": ["4", "5", "9", "7"], "peervote_label": ["4", None, "4", "7"]}
        assert "peervote/labeled_fraction" in logged and reward.__name__ == "peervote"
        assert logged["co_labeling/supervision_fraction"] == 1.0
        [bucket] = server.get(f"/v1/cohorts/{name}/buckets/p")["rounds"]
        own = next(group for group in bucket["groups"] if group["agent"] == "a")
        assert own["step"] == 12 and [rollout["index"] for rollout in own["rollouts"]] == [0, 2]

    @pytest.mark.parametrize(("wanted", "expected"), [(True, [None, None]), (False, [0.0, 0.0])])
    def test_gives_none_for_unlabeled_only_if_wanted(
        self, server: Server, cohort: MakeCohort, wanted: bool, expected: List[Optional[float]]
    ) -> None:
        name = cohort()
        with PeerVote(server.url, name, "b") as b:
            b.skip(["p"])
        reward = PeerVoteReward(server.url, name, "a", none_if_unlabeled=wanted)
        assert reward(prompts=["", ""], completions=["\\boxed{4}", "x"], prompt_id=["p", "p"]) == expected

    @pytest.mark.parametrize(
        ("columns", "expected"),
        [
            ({"answer": "She has 48/2=<<48/2=24>>24, so 48+24=<<48+24=72>>72.\n#### 72"}, 1.0),
            ({"solution": "Adding them gives $\\boxed{72}$."}, 1.0),
            ({"ground_truth": ["seventy", "72"]}, 1.0),
            ({"ground_truth": {"target": ["72"]}}, 1.0),
            ({"ground_truth": Array(["70", "72"])}, 1.0),
            ({"ground_truth": Array(72)}, 1.0),
            ({"ground_truth": Decimal("72.0")}, 1.0),
            ({"ground_truth": float("nan"), "answer": 72}, 1.0),
            ({"ground_truth": float("nan")}, 0.0),
            ({"ground_truth": {"target": 72, "numbers": [8, 9]}}, 0.0),
            ({"ground_truth": object()}, 0.0),
            ({"ground_truth": "x" * 20_000}, 0.0),
        ],
    )
    def test_grades_by_truths_as_data_sets_have_them_and_goes_on_without_the_others(
        self, server: Server, cohort: MakeCohort, columns: Dict[str, Any], expected: float
    ) -> None:
        reward = PeerVoteReward(server.url, cohort(), "a")
        row = {key: [value] for key, value in columns.items()}
        assert reward(prompts=[""], completions=["\\boxed{72}"], prompt_id=["e"], split=["eval"], **row) == [expected]

    def test_lets_no_unfinished_reasoning_that_the_prompt_opened_vote(self, server: Server, cohort: MakeCohort) -> None:
        reward = PeerVoteReward(server.url, cohort(), "a")
        rest = {"prompt_id": ["e", "e"], "split": ["eval"] * 2, "ground_truth": ["4"] * 2}
        completions = ["maybe \\boxed{4}, but", "maybe 3</think>\\boxed{4}"]
        assert reward(prompts=["Q<think>\n"] * 2, completions=completions, **rest) == [0.0, 1.0]
        assert reward(prompts=["Q"] * 2, completions=completions, **rest) == [1.0, 1.0]

    def test_tells_what_was_cut_off_by_the_last_token(self, server: Server, cohort: MakeCohort) -> None:
        rest = {"prompt_id": ["e", "e"], "split": ["eval"] * 2, "ground_truth": ["4"] * 2}
        call = {"prompts": [""] * 2, "completions": ["The answer is 4"] * 2, "completion_ids": [[5, 2], [5, 6]], **rest}
        name = cohort()
        assert PeerVoteReward(server.url, name, "a", eos_token_id=[1, 2])(**call) == [1.0, 0.0]
        assert PeerVoteReward(server.url, name, "a", eos_token_id=2)(**call) == [1.0, 0.0]
        assert PeerVoteReward(server.url, name, "a")(**call) == [1.0, 1.0]

    def test_a_prompt_that_comes_twice_in_a_batch_is_two_visits(self, server: Server, cohort: MakeCohort) -> None:
        """Copies next to each other and further on, as a sampler that repeats each row k times has them."""
        name = cohort(k=4)
        batch = ["p"] * 8 + ["q"] * 4 + ["p"] * 4
        answers = "44441111" + "6666" + "9999"
        for visit, label in enumerate("418"):
            with PeerVote(server.url, name, "b", timeout_s=0.01) as b, suppress(WaitTimeoutError):
                b.rewards([Group("p", [Rollout(answer=label, index=i) for i in range(4)], round=visit)])
        teach(server, name, {"q": "6"}, k=4)
        reward = PeerVoteReward(server.url, name, "a")
        call = {"prompts": batch, "completions": [f"\\boxed{{{answer}}}" for answer in answers], "prompt_id": batch}
        assert reward(**call) == [1.0] * 12 + [0.0] * 4
        rounds = server.get(f"/v1/cohorts/{name}/buckets/p")["rounds"]
        own = [group for each in rounds for group in each["groups"] if group["agent"] == "a"]
        assert [[rollout["answer"] for rollout in group["rollouts"]] for group in own] == [["4"] * 4, ["1"] * 4, ["9"] * 4]

    @pytest.mark.parametrize("slice_length", [4, 6, 8, 12])
    def test_ranks_cut_what_comes_twice_at_the_same_places(
        self, server: Server, cohort: MakeCohort, monkeypatch: pytest.MonkeyPatch, slice_length: int
    ) -> None:
        name = cohort(k=8)
        for visit in range(3):
            with PeerVote(server.url, name, "b", timeout_s=0.01) as b, suppress(WaitTimeoutError):
                b.rewards([Group("p", [Rollout(answer="4", index=i) for i in range(8)], round=visit)])
        for rank in range(24 // slice_length):
            monkeypatch.setenv("RANK", str(rank))
            batch = ["p"] * slice_length
            trainer = Trainer(PeerVoteReward(server.url, name, "a", timeout_s=20), num_generations=8)
            assert trainer.score(batch, ["\\boxed{4}"] * slice_length, prompt_id=batch) == [1.0] * slice_length
        rounds = server.get(f"/v1/cohorts/{name}/buckets/p")["rounds"]
        own = [group for each in rounds for group in each["groups"] if group["agent"] == "a"]
        assert [sorted(rollout["index"] for rollout in group["rollouts"]) for group in own] == [
            list(range(first, first + 8)) for first in (0, 8, 16)
        ]

    def test_a_completion_that_is_missing_abstains(self, server: Server, cohort: MakeCohort) -> None:
        name = cohort(k=4)
        teach(server, name, {"p": "4"}, k=4)
        completions = [None, "\\boxed{4}", float("nan"), [{"role": "assistant", "content": None}]]
        reward = PeerVoteReward(server.url, name, "a")
        assert reward(prompts=["Q"] * 4, completions=completions, prompt_id=["p"] * 4) == [0.0, 1.0, 0.0, 0.0]

    def test_reads_columns_of_arrays_and_numbers_with_a_gap(self, server: Server, cohort: MakeCohort) -> None:
        reward = PeerVoteReward(server.url, cohort(), "a")
        reward(prompts=[""], completions=["x"], prompt_id=Column([17.0]), split=["eval"], ground_truth=Column([4]))
        assert reward([""], ["\\boxed{4}"], prompt_id=Column([17]), split=["eval"], ground_truth=Column([4])) == [1.0]

    def test_says_that_the_prompt_id_is_missing(self, server: Server, cohort: MakeCohort) -> None:
        with pytest.raises(ValueError, match="prompt_id"):
            PeerVoteReward(server.url, cohort(), "a")(prompts=[""], completions=["x"], answer=["4"])


class TestSlime:
    @staticmethod
    def sample(response: str, index: int, **fields: Any) -> SimpleNamespace:
        status = SimpleNamespace(value=fields.pop("status", "completed"))
        label = fields.pop("label", '{"pid": "p", "answer": "4"}')
        return SimpleNamespace(response=response, index=index, status=status, label=label, metadata=fields)

    def test_scores_one_sample(self, server: Server, cohort: MakeCohort, environment: Callable[[str], None]) -> None:
        name = cohort()
        environment(name)
        teach(server, name, {"p": "4"})
        value = asyncio.run(peervote.slime.reward(SimpleNamespace(), self.sample("\\boxed{4}", 0)))
        assert value == 1.0 and type(value) is float

    def test_scores_a_group_and_gives_dicts_with_the_reward_key(self, server: Server, cohort: MakeCohort) -> None:
        name = cohort(k=3)
        teach(server, name, {"p": "4"}, k=3)
        args = SimpleNamespace(
            peervote_url=server.url, peervote_cohort=name, peervote_agent="a", reward_key="score", group_rm=True
        )
        cut = self.sample("\\boxed{4", 2, status="truncated")
        samples = [self.sample("\\boxed{4}", 0), self.sample("\\boxed{5}", 1), cut]
        values = asyncio.run(peervote.slime.reward(args, samples))
        assert [value["score"] for value in values] == [1.0, 0.0, 0.0]
        assert values[2]["answered"] == 0.0 and {value["status"] for value in values} == {"scored"}

    def test_reads_the_prompt_id_and_split_of_metadata(self, server: Server, cohort: MakeCohort) -> None:
        args = SimpleNamespace(peervote_url=server.url, peervote_cohort=cohort(), peervote_agent="a")
        sample = self.sample("\\boxed{4}", 0, label="4", prompt_id="e", split="test")
        assert asyncio.run(peervote.slime.reward(args, sample)) == 1.0
        with pytest.raises(ValueError, match="prompt id"):
            asyncio.run(peervote.slime.reward(args, self.sample("x", 0, label="4")))


def test_swift_scores_a_slice(server: Server, cohort: MakeCohort, environment: Callable[[str], None]) -> None:
    name = cohort()
    environment(name)
    teach(server, name, {"p": "4"})
    reward = PeerVoteORM(args=None)
    columns = {
        "pid": ["p", "p"],
        "prompt_id": ["prompt_0", "prompt_0"],
        "request_id": ["r1", "r2"],
        "is_truncated": [False, True],
        "trainer_state": SimpleNamespace(global_step=1),
    }
    assert reward(["\\boxed{4}", "so it is 4"], **columns) == [1.0, 0.0]
    graded = {"pid": ["e"] * 2, "split": ["test"] * 2, "ground_truth": ["4"] * 2, "finish_reason": ["stop", "length"]}
    assert reward(["The answer is 4"] * 2, **graded) == [1.0, 0.0]
    [bucket] = server.get(f"/v1/cohorts/{name}/buckets/p")["rounds"]
    own = next(group for group in bucket["groups"] if group["agent"] == "a")
    assert [rollout["id"] for rollout in own["rollouts"]] == ["r1", "r2"]


def test_every_adapter_takes_a_completion_that_is_missing(
    server: Server, cohort: MakeCohort, environment: Callable[[str], None]
) -> None:
    name = cohort()
    environment(name)
    row = {"prompt_id": "e", "pid": "e", "split": "eval", "ground_truth": "4"}
    sample = SimpleNamespace(response=None, label=None, metadata=row, status=None)
    where = {"url": server.url, "cohort": name, "agent": "a"}
    assert asyncio.run(peervote.slime.reward(SimpleNamespace(), sample)) == 0.0
    assert asyncio.run(score_episode(row, None, **where)) == 0.0
    assert PeerVoteORM()([None], **{key: [value] for key, value in row.items()}) == [0.0]
    assert asyncio.run(compute_score("x", None, "4", row))["score"] == 0.0
    with PeerVote(server.url, name, "a") as a:
        assert score_conversations(a, [[{"role": "assistant", "content": None}]], [row]) == [0.0]


@pytest.mark.parametrize(
    "truth", [None, float("nan"), Decimal("4"), {"target": "4"}, {"a": 1}, Array(4), ["4"], object(), "x" * 20_000, 2**70]
)
def test_every_adapter_takes_truths_as_data_sets_have_them(
    server: Server, cohort: MakeCohort, environment: Callable[[str], None], truth: Any
) -> None:
    name = cohort(k=1)
    environment(name)
    teach(server, name, {prompt: "4" for prompt in "uvwxyz"}, k=1)

    def row(prompt: str) -> Dict[str, Any]:
        return {"prompt_id": prompt, "pid": prompt, "ground_truth": truth}

    sample = SimpleNamespace(response="\\boxed{4}", label=None, metadata=row("u"), status=None)
    assert asyncio.run(peervote.slime.reward(SimpleNamespace(), sample)) == 1.0
    assert asyncio.run(score_episode(row("v"), "\\boxed{4}")) == 1.0
    columns = {key: [value] for key, value in row("w").items()}
    assert PeerVoteORM()(["\\boxed{4}"], **columns) == [1.0]
    assert asyncio.run(compute_score("x", "\\boxed{4}", truth, {"prompt_id": "x"}))["score"] == 1.0
    with PeerVote(server.url, name, "a") as a:
        log = [{"role": "assistant", "content": "\\boxed{4}"}]
        assert score_conversations(a, [log], [row("y")]) == [1.0]
    columns = {key: [value] for key, value in row("z").items()}
    assert PeerVoteReward()([""], ["\\boxed{4}"], **columns) == [1.0]


def test_two_rows_with_one_prompt_are_two_groups_for_slime(
    server: Server, cohort: MakeCohort, environment: Callable[[str], None]
) -> None:
    name = cohort()
    environment(name)
    with PeerVote(server.url, name, "b", timeout_s=0.01) as b:
        for visit in range(2):
            with suppress(WaitTimeoutError):
                b.rewards([Group("p", [Rollout(answer="4", index=i) for i in range(2)], round=visit)])
    samples = [
        SimpleNamespace(response="\\boxed{4}", label='{"pid": "p"}', metadata=None, status=None, group_index=at // 2)
        for at in range(4)
    ]
    assert asyncio.run(peervote.slime.reward(SimpleNamespace(), samples)) == [1.0] * 4


def test_areal_scores_an_episode(server: Server, cohort: MakeCohort) -> None:
    name = cohort(k=1)
    teach(server, name, {"p": "4"}, k=1)
    where = {"url": server.url, "cohort": name, "agent": "a"}
    assert asyncio.run(score_episode({"prompt_id": "p"}, "\\boxed{4}", **where)) == 1.0
    row = {"prompt_id": "p", "answer": "5"}
    assert asyncio.run(score_episode(row, "\\boxed{4}", is_eval=True, **where)) == 0.0
    for stop_reason, expected in (("stop", 1.0), ("length", 0.0)):
        episode = score_episode(row, "The answer is 5", is_eval=True, stop_reason=stop_reason, **where)
        assert asyncio.run(episode) == expected
    assert asyncio.run(score_episode(row, "maybe \\boxed{5}, but", is_eval=True, prompt="Q<think>", **where)) == 0.0


def test_nemo_rl_scores_conversations(server: Server, cohort: MakeCohort) -> None:
    name = cohort()
    teach(server, name, {"p": "4", "q": "6"})
    logs = [
        [{"role": "user", "content": "\\boxed{}?"}, {"role": "assistant", "content": f"\\boxed{{{answer}}}"}]
        for answer in ("4", "6", "5", "6")
    ]
    metadata = [{"prompt_id": prompt} for prompt in ("p", "q", "p", "q")]
    with PeerVote(server.url, name, "a") as a:
        assert score_conversations(a, logs, metadata) == [1.0, 1.0, 0.0, 1.0]


def test_verls_manager_tells_what_the_limit_cut_and_how_the_prompt_ends() -> None:
    manager = object.__new__(PeerVoteRewardManager)
    words = {1: "Q", 2: "<think>", 3: "\n"}
    manager.tokenizer = SimpleNamespace(
        eos_token_id=2, decode=lambda ids, skip_special_tokens: "".join(words[each] for each in ids)
    )
    for limit, ids, length, cut in ((3, [5, 6, 7], 3, True), (3, [5, 6, 2], 3, False), (3, [5, 6, 0], 2, False)):
        manager._limit = limit
        assert manager._is_cut(ids, length) is cut
    manager._limit = None
    assert manager._is_cut([5, 6, 7], 3) is False
    assert manager._prompt_tail({"prompts": [1, 2, 3]}) == "Q<think>\n"
    assert manager._prompt_tail({}) is None


class TestOpenRlhfLabels:
    def test_hold_id_split_and_truth_as_json(self) -> None:
        label = json.loads(label_of(17, ground_truth="π/2", split="validation", task="mcq"))
        assert label == {"pid": "17", "split": "eval", "answer": "π/2", "task": "mcq"}
        assert json.loads(label_of("p")) == {"pid": "p", "split": "train"}

    def test_urls_that_openrlhf_would_misread_are_refused(self) -> None:
        assert reward_url("http://h:1/", "c", "a", incarnation="7-0") == "http://h:1/openrlhf/c/a?inc=7-0"
        ends = reward_url("http://h:1", "c", "a", eos=["<|im_end|>", "</s>"])
        assert ends == "http://h:1/openrlhf/c/a?eos=%3C%7Cim_end%7C%3E&eos=%3C%2Fs%3E"
        for cohort, agent in (("c", "a.py"),):
            with pytest.raises(ValueError, match="commas"):
                reward_url("http://h", cohort, agent)
        with pytest.raises(ValueError):
            reward_url("http://h,http://i", "c", "a")


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("x", "x"),
        ([{"role": "user", "content": "q"}, {"role": "assistant", "content": "x"}], "x"),
        ([{"role": "assistant", "content": [{"type": "text", "text": "x"}, {"type": "image"}]}], "x"),
        ({"content": "x"}, "x"),
        ([], ""),
        (None, ""),
        (float("nan"), ""),
        ({"content": None}, ""),
        ([{"role": "assistant", "content": [{"type": "image", "text": None}, {"type": "text", "text": "x"}]}], "x"),
    ],
)
def test_the_text_of_a_completion(completion: Any, text: str) -> None:
    assert completion_text(completion) == text


def test_labels_and_splits_are_read_as_the_server_does() -> None:
    cases: List[Tuple[Any, Any]] = [
        ({"pid": 1}, {"pid": 1}),
        ('{"pid": "p"}', {"pid": "p"}),
        ("{1, 2}", {"answer": "{1, 2}"}),
        (42, {"answer": 42}),
        (None, {}),
    ]
    for label, fields in cases:
        assert read_label(label) == fields
    assert [to_split(word) for word in ("train", "Test", None, "")] == ["train", "eval", "train", "train"]
    with pytest.raises(ValueError):
        to_split("holdout")


def test_truths_become_what_json_can_carry() -> None:
    cases: List[Tuple[Any, Any]] = [
        ("4", "4"),
        (4, 4),
        (2**60, str(2**60)),
        (0.5, 0.5),
        (True, True),
        (Decimal("1E+2"), "100"),
        (Decimal("NaN"), None),
        (Fraction(1, 3), "1/3"),
        (float("nan"), None),
        (float("inf"), None),
        (None, None),
        (Array([1, float("nan"), Array(2)]), [1, 2]),
        (("a", None, "b"), ["a", "b"]),
        ({"b", "a"}, ["a", "b"]),
        ({"target": Array([1])}, {"target": [1]}),
        (b"4", None),
    ]
    for value, plain in cases:
        assert to_truth(value) == plain


def test_a_truth_of_an_unknown_type_is_left_out_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    class Unheard:
        pass

    assert [to_truth(Unheard()), to_truth([Unheard()])] == [None, None]
    assert [record.getMessage() for record in caplog.records] == [
        "A ground truth that holds a Unheard is left out, and so are others like it."
    ]


def test_a_truth_that_the_server_does_not_read_is_told_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("peervote._truths._warned", set())
    for truth in ("x" * 16_385, "y" * 20_000, {"target": 24, "numbers": [1]}, {"a": 1}, {"target": 4}, "x" * 16_384):
        assert to_truth(truth) == truth
    assert [record.getMessage().partition(" is not read")[0] for record in caplog.records] == [
        "A ground truth of more than 16,384 characters",
        'A ground truth that is an object with fields beside "target"',
    ]


def test_a_column_that_is_missing_gives_way_to_the_next() -> None:
    row = {"ground_truth": float("nan"), "answer": "", "solution": Array(3)}
    assert first_of(row, ("ground_truth", "answer", "solution")) is row["solution"]
    scalar: Any = Array(float("nan"))
    scalar.ndim = 0
    assert first_of({"ground_truth": scalar, "answer": 0}, ("ground_truth", "answer")) == 0
