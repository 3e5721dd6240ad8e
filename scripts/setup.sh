#!/bin/sh
# Set up a checkout: install the ODE library, create a virtual environment in .venv, install the package in it.
# Existing installations are not changed. PYTHON selects the interpreter, VENV another directory,
# EXTRAS the extras of pyproject.toml (default: those that the tests and the documentation need).
set -eu
cd "$(dirname "$0")/.."
venv=${VENV:-.venv}
extras=${EXTRAS:-basins,cluster,dev,docs,gym,report,trace,video,web}

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Run as root: directly, or through sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        say "  $*"
        "$@"
    elif have sudo; then
        say "  sudo $*"
        sudo "$@"
    else
        die "this needs root and there is no sudo; as root, run: $*"
    fi
}

# Debian's package lists may be missing or old: update them only if the installation fails.
apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 && return 0
    as_root apt-get update -qq >&2 || say "apt-get update failed: is there a network connection?"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

choose_python() {
    if [ -n "${PYTHON:-}" ]; then
        have "$PYTHON" || die "PYTHON=$PYTHON is not a program"
        new_enough "$PYTHON" || die "PYTHON=$PYTHON is $("$PYTHON" --version 2>&1), but ctrlgraph needs Python 3.11 or newer"
        python=$PYTHON
        return
    fi
    for python in python3 python3.13 python3.12 python3.11; do
        if have "$python" && new_enough "$python"; then return; fi
    done
    if have python3; then
        die "ctrlgraph needs Python 3.11 or newer, and python3 is $(python3 --version 2>&1); install one and name it, for example: make walk PYTHON=python3.12"
    fi
    die "ctrlgraph needs Python 3.11 or newer, and there is no python3; install it (Debian and Ubuntu: apt-get install python3 python3-venv)"
}

has_ode() { "$python" -c 'import ctypes.util, sys; sys.exit(ctypes.util.find_library("ode") is None)'; }

install_ode() {
    has_ode && return 0
    say "The ODE physics library (libode) is missing; installing it:"
    if have apt-get; then
        apt_install libode8 || apt_install libode-dev || die "apt-get could not install libode8; see its message above"
    elif have dnf; then
        as_root dnf install -y -q ode >&2 || die "dnf could not install ode; see its message above"
    elif have brew; then
        say "  brew install ode"
        brew install --quiet ode >&2 || die "brew could not install ode; see its message above"
    else
        die "no apt-get, dnf or brew here: install the ODE library 0.16 (libode, double precision) and run this again"
    fi
    has_ode && return 0
    if have brew; then
        die "ODE is installed where this Python does not look; run: export DYLD_FALLBACK_LIBRARY_PATH=\"$(brew --prefix)/lib\""
    fi
    die "libode is installed, but the system's linker does not find it; try: ldconfig"
}

make_environment() {
    if [ -x "$venv/bin/python" ] && new_enough "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        return 0
    fi
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        have apt-get || die "$python has no venv module; install the one for Python $version and run this again"
        say "This Python has no venv module; installing it:"
        apt_install "python$version-venv" || die "apt-get could not install python$version-venv; see its message above"
    fi
    say "Making a virtual environment in $venv ($("$python" --version 2>&1))"
    "$python" -m venv --clear "$venv" || die "the virtual environment could not be made; see the message above"
}

install_package() {
    say "Installing ctrlgraph and what it needs into $venv (the first time takes a minute or two)"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable ".[$extras]" --constraint constraints.txt >&2 ||
        die "pip could not install the packages, see its message above; without a network connection, set PIP_FIND_LINKS to a folder of wheels"
}

choose_python
install_ode
make_environment
install_package
say "Ready: $venv/bin/ctrlgraph. To use it in this shell: . $venv/bin/activate"
