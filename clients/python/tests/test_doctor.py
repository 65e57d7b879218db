"""``python -m peervote doctor`` against the real server, and held against ``peervote doctor``: the same checks, word for word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

import pytest
from server import PROJECT, Server, free_port

from peervote._doctor_rows import Columns, TableError, read_table, to_data_row
from peervote._doctor_server import check_address
from peervote.doctor import assign_agents, main

#: Whoever runs the tests may have a proxy or a server of his own.
CLEAN = {key: value for key, value in os.environ.items() if "proxy" not in key.lower() and "PEERVOTE" not in key}
NO_COLUMNS = Columns(None, None, None, "label")

ROWS: List[Mapping[str, Any]] = [
    {"prompt_id": f"p{at}", "prompt": f"What is {at} + 1?", "ground_truth": str(at + 1)} for at in range(6)
]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def write_rows(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
        path = tmp_path / name
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return str(path)

    return write_rows


def ask(capsys: "pytest.CaptureFixture[str]", *options: str) -> Tuple[int, Dict[str, Tuple[str, str]]]:
    """The exit code, and status and sentence of every check by its name."""
    code = main(["doctor", "--json", *options])
    checks = json.loads(capsys.readouterr().out)["checks"]
    return code, {check["name"]: (check["status"], check["says"]) for check in checks}


def cohorts(server: Server) -> List[str]:
    return [each["name"] for each in server.get("/v1/cohorts")["cohorts"]]


def test_passes_what_is_set_up_right_and_leaves_nothing_behind(
    server: Server, cohort: Callable[..., str], write: Callable[..., str], capsys: Any
) -> None:
    name = cohort(k=8)
    files = [f"a={write('one.jsonl', ROWS)}", f"b={write('two.jsonl', ROWS)}"]
    code, checks = ask(capsys, "--url", server.url, "--cohort", name, "--data", *files, "--k", "8", "--seed", "a=1", "b=2", "--order", "file")
    assert code == 0
    assert {status for status, _ in checks.values()} == {"ok"}
    assert checks["dry step"][1].endswith("a 4 of 8 right; b 4 of 8 right.")
    assert not [each for each in cohorts(server) if each.startswith("doctor-")]
    assert sum(agent["rollouts"] for agent in server.get(f"/v1/cohorts/{name}")["agents"]) == 0


#: What is in each data set, the options beside them, and which checks have to fail for it.
MISTAKES: Dict[str, Tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]], List[str], List[str]]] = {
    "another order": (ROWS, list(reversed(ROWS)), [], ["order a, b"]),
    "nothing in common": (ROWS, [{**row, "prompt_id": f"q{at}"} for at, row in enumerate(ROWS)], [], ["ids a, b"]),
    "a filtered row": (ROWS, ROWS[1:], [], ["ids a, b"]),
    "rows numbered in two orders": (
        ROWS,
        [{**row, "prompt_id": f"p{at}"} for at, row in enumerate(reversed(ROWS))],
        [],
        ["truths a, b"],
    ),
    "fewer samples": (ROWS, ROWS, ["--k", "a=1"], ["k"]),
    "more samples": (ROWS, ROWS, ["--k", "16"], ["k"]),
    "two seeds that shuffle": (ROWS, ROWS, ["--seed", "a=1", "b=2", "--order", "shuffle"], ["seeds"]),
    "one id for two problems": ([*ROWS, {**ROWS[0], "prompt": "Another?"}], ROWS, [], ["ids a"]),
    "no ids": ([{"prompt_id": None}, ROWS[0]], ROWS, [], ["ids a", "ids a, b"]),
    "an odd split": ([{**ROWS[0], "split": "dev"}], ROWS, [], ["eval a"]),
    "eval without truth": ([*ROWS, {"prompt_id": "e", "split": "test"}], ROWS, [], ["eval a"]),
    "no rows": ([], ROWS, [], ["ids a"]),
}

#: What is worth a word, but may be meant.
REMARKS: Dict[str, Tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]], List[str], str]] = {
    "one seed": (ROWS, ROWS, ["--seed", "7", "--order", "file"], "seeds"),
    "a truth nobody reads": ([{**ROWS[0], "ground_truth": "\\frac{1}{"}], ROWS[:1], ["--truth-column", "ground_truth"], "truths a"),
    "an object for a truth": ([{**ROWS[0], "ground_truth": {"numbers": [1, 2]}}], ROWS[:1], [], "truths a"),
    "a repeated row": ([*ROWS, ROWS[2]], ROWS, [], "ids a"),
    "ids of the texts": ([{"prompt": " What  is\n1? "}], [{"prompt": "What is 1?"}], [], "ids a"),
    "rephrased texts": (ROWS, [{**row, "prompt": "Say it anew"} for row in ROWS], [], "texts a, b"),
    "column id": ([{"id": 3}], [{"id": 3}], [], "ids b"),
    "ids of verl": (
        [{"data_source": "d", "extra_info": {"split": "train", "index": 4}, "reward_model": {"ground_truth": "4"}}],
        [{"prompt_id": "d/train/4", "answer": "5 #### 4", "messages": [{"role": "user", "content": "?"}]}],
        [],
        "k",
    ),
    "labels": (
        [{"label": '{"pid": 7, "answer": "4"}', "input": "x"}, {"label": "12", "input": "y"}],
        [{"label": {"pid": "7", "answer": ["4", "5"], "split": "val"}}],
        [],
        "k",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_names_what_would_go_wrong(
    mistake: str, server: Server, cohort: Callable[..., str], write: Callable[..., str], capsys: Any
) -> None:
    one, other, options, wrong = MISTAKES[mistake]
    files = [f"a={write('one.jsonl', one)}", f"b={write('two.jsonl', other)}"]
    code, checks = ask(capsys, "--url", server.url, "--cohort", cohort(), "--no-dry-step", "--data", *files, *options)
    assert code == 1
    assert [name for name, (status, _) in checks.items() if status == "FAIL"] == wrong


def test_says_the_same_word_for_word_as_the_command_of_the_server(
    server: Server, cohort: Callable[..., str], write: Callable[..., str], capsys: Any
) -> None:
    name = cohort()
    told = 0
    # Each starts the command, so these are a few that say most of the sentences.
    cases = {**MISTAKES, **REMARKS}
    for title in ("rows numbered in two orders", "a filtered row", "labels", "an object for a truth"):
        one, other, options, _ = cases[title]
        files = [f"a={write('one.jsonl', one)}", f"b={write('two.jsonl', other)}"]
        given = ["--url", server.url, "--cohort", name, "--data", *files, *options]
        main(["doctor", "--json", *given])
        ours = json.loads(capsys.readouterr().out)
        theirs = json.loads(command(*given))
        assert ours == theirs, title
        told += len(ours["checks"])
    assert told > 60


def command(*options: str) -> str:
    node = ["node", "--import", "tsx", "src/cli/main.ts", "doctor", "--json", *options]
    return subprocess.run(node, cwd=PROJECT, env=CLEAN, stdout=subprocess.PIPE, check=False).stdout.decode()


@pytest.mark.parametrize("remark", REMARKS)
def test_remarks_on_what_may_be_meant_and_does_not_fail_for_it(
    remark: str, server: Server, cohort: Callable[..., str], write: Callable[..., str], capsys: Any
) -> None:
    one, other, options, name = REMARKS[remark]
    files = [f"a={write('one.jsonl', one)}", f"b={write('two.jsonl', other)}"]
    given = ["--url", server.url, "--cohort", cohort(), "--no-dry-step", "--data", *files, *options]
    _, checks = ask(capsys, *given)
    assert checks[name][0] in ("warn", "skip")


@pytest.mark.parametrize("method", ["ttrl", "ground-truth", "rent", "intuitor", "random", "format"])
def test_makes_its_dry_step_in_other_methods_too(
    method: str, server: Server, cohort: Callable[..., str], capsys: Any
) -> None:
    code, checks = ask(capsys, "--url", server.url, "--cohort", cohort(method=method, k=4))
    assert (code, checks["dry step"][0]) == (0, "ok")


@pytest.mark.parametrize("mode", ["boxed", "answer-tag", "gsm8k", "choice", "number", "raw", "auto"])
def test_writes_fakes_that_every_mode_reads(mode: str, server: Server, cohort: Callable[..., str], capsys: Any) -> None:
    code, checks = ask(capsys, "--url", server.url, "--cohort", cohort(answers={"mode": mode}, k=5))
    assert (code, checks["dry step"]) == (
        0,
        ("ok", "Every agent sent a group of fakes through the real protocol and was paid: a 3 of 5 right; b 3 of 5 right."),
    )


def test_makes_its_dry_step_where_labels_are_old_or_need_many_votes(
    server: Server, cohort: Callable[..., str], capsys: Any
) -> None:
    for settings in ({"barrier": "last-label"}, {"vote": {"threshold": 0.75}, "k": 8}, {"vote": {"tie": "discard"}, "k": 2}):
        code, checks = ask(capsys, "--url", server.url, "--cohort", cohort(**settings))
        assert (code, checks["dry step"][0]) == (0, "ok"), settings


def test_tells_whose_a_token_is_and_what_it_is_not_enough_for(capsys: Any) -> None:
    tokens = {"admin": "admin-0123456789abcdef", "read": "reader-0123456789abcdef", "agents": {"default/a": "agent-a-0123456789abcdef"}}
    environment = dict(os.environ)
    os.environ["PEERVOTE_SERVER_TOKENS"] = json.dumps(tokens)
    try:
        running = Server("--agents", "a,b", "--k", "2", port=free_port()).start()
    finally:
        os.environ.clear()
        os.environ.update(environment)
    found: Dict[str, Tuple[int, str, str]] = {}
    try:
        for token in ("", "admin-0123456789abcdef", "reader-0123456789abcdef", "agent-a-0123456789abcdef", "unknown-0123456789abc"):
            options = ["--url", running.url] + (["--token", token] if token else [])
            code, checks = ask(capsys, *options, "--agent-token", "a=agent-a-0123456789abcdef", "b=agent-a-0123456789abcdef")
            found[token] = (code, checks["token"][1], checks["dry step"][0])
            assert checks["token a"][0] == "ok"
            assert checks["token b"] == (
                "FAIL",
                'This token is of agent "a" of cohort "default", and does not let its bearer act as agent "b" of cohort "default".',
            )
            if token.startswith("agent"):
                assert checks == {name: (status, says) for name, status, says in theirs(*options)}
    finally:
        running.stop()
    assert [(says, step) for _, says, step in found.values()] == [
        ("The server wants a token: give --token or PEERVOTE_TOKEN, here and in each job.", "skip"),
        ("It is a token of an administrator.", "ok"),
        ("It is a token for reading.", "skip"),
        ('It is a token of agent "a" of cohort "default".', "skip"),
        ("The server does not know this token: compare it with its file.", "skip"),
    ]


def theirs(*options: str) -> List[Tuple[str, str, str]]:
    agents = ("--agent-token", "a=agent-a-0123456789abcdef", "b=agent-a-0123456789abcdef")
    return [(check["name"], check["status"], check["says"]) for check in json.loads(command(*options, *agents))["checks"]]


def test_says_why_a_server_does_not_answer(server: Server, capsys: Any) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    assert ask(capsys, "--url", nowhere) == (
        1,
        {
            "proxy": ("ok", "No proxy stands between this machine and 127.0.0.1."),
            "server": ("FAIL", f"Nothing listens at {nowhere}: is the server running, and is the port right?"),
            "cohort": ("skip", "Not checked: the server cannot be asked."),
            "dry step": ("skip", "Not checked: the server cannot be asked."),
        },
    )
    assert json.loads(command("--url", nowhere))["checks"][1]["says"].startswith("Nothing listens at")
    code, checks = ask(capsys, "--url", server.url, "--cohort", "nowhere")
    assert (code, checks["cohort"][0], checks["dry step"][0]) == (1, "FAIL", "skip")
    assert 'There is no cohort "nowhere"' in checks["cohort"][1]


def test_knows_urls_that_no_trainer_can_post_to_and_proxies_in_between() -> None:
    assert [check.status for check in check_address("peervote:8080", {})] == ["FAIL"]
    assert check_address("10.0.0.7:8080", {})[0].says == '"10.0.0.7:8080" has no scheme: write http://10.0.0.7:8080.'
    assert [check.status for check in check_address("ftp://peervote", {})] == ["FAIL"]
    proxied = {"HTTP_PROXY": "http://proxy:3128"}
    assert [check.status for check in check_address("http://peervote.lab:8080", proxied)] == ["warn"]
    assert [check.status for check in check_address("https://peervote.lab", proxied)] == ["ok"]
    for exempt in ("*", "peervote.lab", ".lab", "other, lab:8080"):
        assert [check.status for check in check_address("http://peervote.lab", {**proxied, "NO_PROXY": exempt})] == ["ok"]


def test_reads_lists_tables_and_packed_files(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "rows.json").write_text(json.dumps(ROWS))
    (tmp_path / "rows.csv").write_text('prompt_id,prompt\np1,"a ""b"", c\nd"\np2,\n', encoding="utf-8-sig")
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(b'{"prompt_id": "p1"}\n\n{"prompt_id": "p2"}'))
    assert read_table(str(tmp_path / "rows.json")) == ROWS
    assert read_table(str(tmp_path / "rows.csv")) == [{"prompt_id": "p1", "prompt": 'a "b", c\nd'}, {"prompt_id": "p2", "prompt": ""}]
    assert [row["prompt_id"] for row in read_table(str(tmp_path / "rows.jsonl.gz"))] == ["p1", "p2"]
    (tmp_path / "bad.jsonl").write_text('{"a": 1}\nno\n')
    with pytest.raises(TableError, match="line 2 is no JSON"):
        read_table(str(tmp_path / "bad.jsonl"))


def test_reads_parquet_with_what_is_installed(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(TableError, match="pip install pyarrow"):
        read_table(str(path))
    frame = types.SimpleNamespace(to_dict=lambda orient: [{"prompt_id": "p1", "by": orient}])
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(read_parquet=lambda _: frame))
    assert read_table(str(path)) == [{"prompt_id": "p1", "by": "records"}]


def test_finds_ids_where_each_adapter_does() -> None:
    def found(row: Mapping[str, Any]) -> Tuple[Any, Any]:
        data = to_data_row(row, 1, NO_COLUMNS)
        return data.id, data.source

    assert found({"pid": 5, "id": 9}) == ("5", "column")
    assert found({"extra_info": {"prompt_id": "x", "index": 2}}) == ("x", "column")
    assert found({"data_source": "d", "extra_info": {"index": 2}}) == ("d/train/2", "verl")
    assert found({"label": '{"pid": "y"}', "prompt": "?"}) == ("y", "label")
    assert found({"prompt_id": float("nan"), "prompt": ""}) == (None, None)
    # As the server hashes it: sha256 of the text with single spaces.
    assert found({"prompt": "  What is\n 1? "}) == ("text-75e083535956b5b3", "text")


def test_gives_files_without_a_name_to_the_agents_that_have_none() -> None:
    assert assign_agents(["x.parquet", "dir/llama.jsonl.gz"], ["qwen", "llama"]) == [("qwen", "x.parquet"), ("llama", "dir/llama.jsonl.gz")]
    assert assign_agents(["gemma=x.csv", "y.csv"], None) == [("gemma", "x.csv"), ("y", "y.csv")]


def test_prints_a_line_for_each_check_and_how_many_there_were(server: Server, capsys: Any) -> None:
    main(["doctor", "--url", server.url, "--no-dry-step", "--k", "3"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok    proxy")
    assert [line[:4] for line in lines if " k " in line[:16]] == ["FAIL", "FAIL"]
    assert lines[-1].endswith("2 FAIL, 1 skip")
