#!/usr/bin/env bash
# Two trainers as curl plays them: every request of the native protocol, with the server's replies.
# Needs curl and a running server:
#   npm run build && npx peervote serve
#   examples/curl/two-agents.sh [http://127.0.0.1:8080]
set -euo pipefail

readonly server=${1:-http://127.0.0.1:8080} cohort=curl-example
readonly url=$server/v1/cohorts/$cohort

# call TITLE METHOD URL [BODY]: shows the request and the reply.
call() {
  local title=$1 method=$2 target=$3 body=${4:-}
  printf '\n# %s\n%s %s\n' "$title" "$method" "${target#"$server"}"
  if [[ -n $body ]]; then printf '%s\n' "$body"; fi
  local data=()
  if [[ -n $body ]]; then data=(--header 'content-type: application/json' --data "$body"); fi
  curl --silent --show-error --write-out '\n(HTTP %{http_code})\n' --request "$method" "${data[@]}" "$target"
}

call 'A cohort of two agents with four rollouts per prompt. They teach each other.' \
  PUT "$url" '{"agents":["qwen","llama"],"k":4}'

call "qwen sends its rollouts and does not wait: 202, and what it would wait for." \
  POST "$url/agents/qwen/rollouts" '{"submission_id":"q-1","step":1,"groups":[{"prompt_id":"p1","rollouts":[
  {"index":0,"completion":"7 times 6 is \\boxed{42}."},
  {"index":1,"completion":"7 + 6 = \\boxed{13}"},
  {"index":2,"completion":"It is \\boxed{42.0}"},
  {"index":3,"completion":"Let me think about"}]}]}'

call "llama sends half of its rollouts. qwen's group is complete, so they are scored at once: nobody waits for itself." \
  POST "$url/agents/llama/rollouts" '{"submission_id":"l-1","step":1,"groups":[{"prompt_id":"p1","rollouts":[
  {"index":0,"completion":"Six sevens: \\boxed{42}"},
  {"index":1,"completion":"\\boxed{36}"}]}]}'

call 'The other half. It would be held for 5 seconds if qwen were not there yet.' \
  POST "$url/agents/llama/rollouts?wait=5" '{"submission_id":"l-2","step":1,"groups":[{"prompt_id":"p1","rollouts":[
  {"index":2,"completion":"So \\boxed{42}"},
  {"index":3,"completion":"\\boxed{48}"}]}]}'

call "llama's group is complete, too. qwen asks for its rewards." GET "$url/agents/qwen/submissions/q-1?wait=50"

call 'qwen samples nothing for p2, and says so. Nobody will wait for it there.' \
  POST "$url/agents/qwen/skip" '{"step":2,"prompts":[{"prompt_id":"p2"}]}'

call 'llama has rollouts for p2: they are answered at once, as skipped.' \
  POST "$url/agents/llama/rollouts?wait=5" '{"submission_id":"l-3","step":2,"groups":[{"prompt_id":"p2","rollouts":[
  {"index":0,"answer":"8"},{"index":1,"answer":"8"},{"index":2,"answer":"9"},{"index":3,"answer":null}]}]}'

call 'Evaluation is graded against the truth, waits for nobody and touches no vote.' \
  POST "$url/agents/qwen/rollouts" '{"split":"eval","groups":[{"prompt_id":"e1","ground_truth":"1/2","rollouts":[
  {"completion":"\\boxed{\\frac{1}{2}}"},{"completion":"\\boxed{2}"}]}]}'

call 'Why was a reward what it was?' GET "$url/buckets/p1"

call 'qwen has finished its training. What llama sends from now on is answered without it.' \
  POST "$url/agents/qwen/finish" '{}'

call 'An error says what to do, and whether to try again.' \
  POST "$url/agents/qven/rollouts" '{"groups":[{"prompt_id":"p1","rollouts":[{"index":0,"answer":"1"}]}]}'

call 'The cohort is deleted with all it holds.' DELETE "$url"
