"""Urls that cannot be right fail at once; proxies are used only if wanted, and named."""

from __future__ import annotations

from typing import Dict, Optional

import pytest

from peervote import AsyncPeerVote, PeerVote
from peervote._address import check_url, find_proxy
from peervote.openrlhf import reward_url
from peervote.settings import find_settings


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("peervote:8080", "did you mean http://peervote:8080?"),
        ("10.0.0.7:8080", "did you mean http://10.0.0.7:8080?"),
        ("localhost", "did you mean http://localhost?"),
        ("//peervote:8080", "did you mean http://peervote:8080?"),
        ("http:/peervote:8080", "did you mean http://peervote:8080?"),
        ("http:peervote:8080", "did you mean http://peervote:8080?"),
        ("http//peervote:8080", "did you mean http://peervote:8080?"),
        ("httpserver:8080", "did you mean http://httpserver:8080?"),
        ("htp://peervote:8080", "starts with htp://"),
        ("ws://peervote:8080", "starts with ws://"),
        ("tcp://10.0.0.7:8080", "starts with tcp://"),
        ("http://", "names no host"),
        ("http://:8080", "names no host"),
        ("http:///v1", "names no host"),
        ("http://peer vote:8080", "a space"),
        ("http://peervote:80 80", "a space"),
        ("http://peervote:8080\nhttp://other", "a space or a line break"),
        ('"http://peervote:8080"', "quotes"),
        ("'http://peervote:8080'", "quotes"),
        ("http://<host>:8080", "placeholder"),
        ("http://$HOST:8080", "placeholder"),
        ("http://{host}:8080", "placeholder"),
        ("http://http://peervote:8080", "more than one"),
        ("http://a:1,http://b:1", "more than one"),
        ("http://a,b:8080", "cannot be one"),
        ("http://peervote:port", "cannot be read"),
        ("http://peervote:99999", "cannot be read"),
        ("http://peervote:", "no port"),
        ("http://peervote:0", "no port"),
        ("http://[::1:8080", "cannot be read"),
        ("http://10.0.0.300:8080", "which is no address"),
        ("http://peervote:8080?inc=7", "a query"),
        ("http://peervote:8080/#/", "a query or a fragment"),
        ("http://peervote:8080/openrlhf/default/qwen", "give http://peervote:8080 here"),
        ("http://gate/votes/slime/default/qwen", "give http://gate/votes here"),
        ("https://peervote/roll/default/qwen/submit_task", "give https://peervote here"),
        ("http://peervote:8080/v1/", "give http://peervote:8080 here"),
        ("http://peervote:8080/v1/cohorts/default/agents/qwen", "give http://peervote:8080 here"),
    ],
)
def test_a_url_that_cannot_be_right_fails_at_once_with_a_sentence(url: str, said: str) -> None:
    for make in (PeerVote, AsyncPeerVote):
        with pytest.raises(ValueError) as raised:
            make(url, "default", "qwen")
        assert said in str(raised.value)
    with pytest.raises(ValueError):
        reward_url(url, "default", "qwen")


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://peervote:8080", "http://peervote:8080"),
        (" http://peervote:8080/\n", "http://peervote:8080"),
        ("HTTPS://Peer-Vote.example.org", "HTTPS://Peer-Vote.example.org"),
        ("http://gate/votes/", "http://gate/votes"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://[fe80::1%25eth0]:8080", "http://[fe80::1%25eth0]:8080"),
        ("http://10.0.0.7", "http://10.0.0.7"),
        ("http://peer_vote.ns.svc.cluster.local:80", "http://peer_vote.ns.svc.cluster.local:80"),
        ("http://größe.example:8080", "http://größe.example:8080"),
        ("http://user:pw@gate:8080", "http://user:pw@gate:8080"),
        ("http://slime:8080", "http://slime:8080"),
        ("http://gate/v1beta", "http://gate/v1beta"),
    ],
)
def test_a_url_that_may_be_right_stays_as_it_is(url: str, kept: str) -> None:
    assert check_url(url) == kept


def test_no_message_shows_a_password() -> None:
    for url in ("http://me:secret@peervote:8080/v1", "me:secret@peervote", "http://me:secret@ho st"):
        with pytest.raises(ValueError) as raised:
            check_url(url)
        assert "secret" not in str(raised.value)
    env = {"PEERVOTE_TRUST_ENV": "1", "http_proxy": "http://me:secret@gate:3128"}
    found = find_settings("http://other:me@h:1", agent="a", environ=env)
    assert found.where == "http://…@h:1 through the proxy http://…@gate:3128"
    assert "secret" not in repr(found)


PROXY = {"http_proxy": "http://gate:3128"}


@pytest.mark.parametrize(
    ("env", "trust", "proxy"),
    [
        (PROXY, None, None),
        (PROXY, False, None),
        (PROXY, True, "http://gate:3128"),
        ({**PROXY, "PEERVOTE_TRUST_ENV": "true"}, None, "http://gate:3128"),
        ({**PROXY, "PEERVOTE_TRUST_ENV": "1"}, False, None),
        ({**PROXY, "PEERVOTE_TRUST_ENV": "0"}, None, None),
        ({"HTTP_PROXY": "gate:3128"}, True, "http://gate:3128"),
        ({"https_proxy": "http://gate:3128"}, True, None),
        ({"ALL_PROXY": "socks5://gate:1080"}, True, "socks5://gate:1080"),
        ({}, True, None),
    ],
)
def test_a_proxy_is_used_only_if_it_is_wanted(env: Dict[str, str], trust: Optional[bool], proxy: Optional[str]) -> None:
    assert find_settings("http://10.0.3.7:8080", agent="a", environ=env, trust_env=trust).proxy == proxy


def test_a_switch_that_is_neither_on_nor_off_is_told() -> None:
    with pytest.raises(ValueError, match="PEERVOTE_TRUST_ENV"):
        find_settings("http://h", agent="a", environ={"PEERVOTE_TRUST_ENV": "maybe"})


@pytest.mark.parametrize(
    ("rule", "url", "excepted"),
    [
        ("10.0.0.0/8", "http://10.2.3.4:8080", True),
        ("10.0.0.0/8", "http://11.2.3.4:8080", False),
        ("192.168.0.0/16,10.0.0.0/8", "http://10.2.3.4", True),
        ("10.0.0.0/8", "http://peervote:8080", False),
        ("fd00::/8", "http://[fd12::1]:8080", True),
        ("[::1]", "http://[::1]:8080", True),
        ("10.2.3.4", "http://10.2.3.4:8080", True),
        ("10.2.3.4:8080", "http://10.2.3.4:8080", True),
        ("10.2.3.4:9090", "http://10.2.3.4:8080", False),
        ("peervote", "http://peervote:8080", True),
        ("vote", "http://peervote:8080", False),
        (".svc", "http://peervote.ns.svc:8080", True),
        ("*.svc.cluster.local", "http://peervote.ns.svc.cluster.local", True),
        ("cluster.local", "http://peervote.ns.svc.cluster.local:8080", True),
        ("Cluster.Local:80", "http://peervote.ns.svc.cluster.local", True),
        ("cluster.local:81", "http://peervote.ns.svc.cluster.local", False),
        ("*", "http://peervote:8080", True),
        (" , ", "http://peervote:8080", False),
    ],
)
def test_no_proxy_excepts_hosts_domains_and_networks(rule: str, url: str, excepted: bool) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        assert (find_proxy(url, {**PROXY, name: rule}) is None) == excepted
