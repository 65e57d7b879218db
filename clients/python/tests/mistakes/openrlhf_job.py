"""OpenRLHF's own remote reward client with one rollout, as its log shows it."""

from __future__ import annotations

import asyncio
import logging
import sys

from openrlhf.utils.agent import SingleTurnAgentExecutor

from peervote.openrlhf import label_of


def main() -> None:
    url, label = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else label_of("add-1")
    logging.basicConfig(level=logging.INFO)
    prompt = "<|im_start|>user\n1+1=<|im_end|>\n<|im_start|>assistant\n"
    print("ready", flush=True)
    executor = SingleTurnAgentExecutor(remote_rm_url=[url])
    print(asyncio.run(executor._fetch_rewards_via_http([prompt + "\\boxed{2}<|im_end|>"], [prompt], [label])))
    print("finished", flush=True)


if __name__ == "__main__":
    main()
