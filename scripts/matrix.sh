#!/bin/sh
# Run the quick tests under every supported Python that is found, each in its own environment (.venv-3.12).
# VERSIONS selects versions ("3.12 3.13"); arguments are passed on to pytest. Interpreters are searched on the path and in pyenv.
set -eu
cd "$(dirname "$0")/.."

versions=${VERSIONS:-$(sed -n 's/.*"Programming Language :: Python :: \(3\.[0-9]*\)".*/\1/p' pyproject.toml)}

# Print the interpreter of a version. A pyenv shim on the path may have no interpreter.
interpreter() {
    for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        if [ "$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$1" ]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
}

seen='' failed=''
for version in $versions; do
    python=$(interpreter "$version")
    if [ -z "$python" ]; then
        seen="$seen\n  $version  not found"
        continue
    fi
    if VENV=.venv-$version PYTHON=$python sh scripts/setup.sh &&
        ".venv-$version/bin/python" -m pytest -n "${WORKERS:-2}" -m "not slow" "$@"; then
        seen="$seen\n  $version  passed"
    else
        seen="$seen\n  $version  failed"
        failed=1
    fi
done
printf "Python%b\n" "$seen"
[ -z "$failed" ]
