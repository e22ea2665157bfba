# shellcheck shell=bash disable=SC2034
# What the scripts share; sourced, not run. Expects `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'quadrille: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# What building takes, and what `ffmpeg` and the tests add: Debian package, then how to tell that it is there.
build_needs=(
  'git command git' 'pkg-config command pkg-config' 'libc6-dev file /usr/include/stdlib.h'
  'libavformat-dev library libavformat' 'libavcodec-dev library libavcodec'
  'libavutil-dev library libavutil' 'libswscale-dev library libswscale'
  'libncurses-dev library ncursesw' 'libyaml-dev library yaml-0.1'
  'libfribidi-dev library fribidi' 'libuchardet-dev library uchardet'
  'libutf8proc-dev library libutf8proc'
)
sample_needs=('ffmpeg command ffmpeg')
test_needs=(
  'ffmpeg command ffmpeg' 'libvterm-dev library vterm' 'ncurses-bin command tput'
  'ncurses-base terminfo tmux-256color' 'ncurses-term terminfo xterm-direct' 'perl-base command perl'
  'tmux command tmux'
)

is_there() { # KIND NAME
  case $1 in
    command) command -v "$2" > /dev/null ;;
    file) [[ -e $2 ]] ;;
    library) command -v pkg-config > /dev/null && pkg-config --exists "$2" ;;
    terminfo) infocmp "$2" > /dev/null 2>&1 ;;
  esac
}

# Installs with apt what is missing of the needs; touches nothing when all is there.
install_missing() { # NEED...
  local need package kind name missing=()
  for need in "$@"; do
    read -r package kind name <<< "$need"
    is_there "$kind" "$name" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  command -v apt-get > /dev/null ||
    fail "these are missing and there is no apt to install them with: ${missing[*]}"
  local sudo=()
  if ((EUID != 0)); then
    command -v sudo > /dev/null || fail "needs root or sudo to install ${missing[*]}"
    sudo=(sudo)
  fi
  say "installing ${missing[*]}"
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  # apt's progress is for the terminal, not for whoever reads this script's output.
  "${apt[@]}" update >&2
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2
}

# Ends the script with one sentence unless there is a Swift toolchain that is new enough.
need_toolchain() {
  local version wanted='a Swift toolchain, 6.2 or later, from https://www.swift.org/install/linux'
  # Where swiftly puts its commands, for shells that have not read its settings.
  local swiftly=${SWIFTLY_BIN_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/swiftly/bin}
  if ! command -v swift > /dev/null && [[ -x $swiftly/swift ]]; then PATH=$swiftly:$PATH; fi
  command -v swift > /dev/null || fail "quadrille is built with $wanted: there is no swift in PATH."
  version=$(swift --version 2> /dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | sed -n 1p)
  [[ -n $version ]] || fail "quadrille is built with $wanted: the swift in PATH does not run."
  # The older of the two versions comes first.
  [[ $(printf '%s\n' 6.2 "$version" | sort -V | sed -n 1p) == 6.2 ]] ||
    fail "quadrille is built with $wanted: this one is $version."
}

# Runs a build with one line of progress on a terminal and no other word, and with all its words if it fails.
quietly() { # COMMAND...
  local log status=0
  log=$(mktemp)
  if [[ -t 2 ]]; then
    "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
      if [[ $line == '['* || $line == 'Fetching'* || $line == 'Updating'* ]]; then
        printf '\r\033[K%.70s' "$line" >&2
      fi
    done || status=$?
    printf '\r\033[K' >&2
  else
    "$@" > "$log" 2>&1 || status=$?
  fi
  if ((status)); then cat "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

# The release build's options. The Swift libraries go into the program, so that it starts fast and needs no
# toolchain where it runs.
release=(-c release --product quadrille)
binary=$root/.build/release/quadrille

# With which tests are built: without an index of the system's modules, which nobody reads and which takes a fifth of the compiler's
# time. The package manager finds tests by that of the package's own.
test_options=(-Xswiftc -Xfrontend -Xswiftc -index-ignore-stdlib -Xswiftc -Xfrontend -Xswiftc -index-ignore-clang-modules)

# Builds the tests, with rooms that are optimised and have all assertions; `tests` is then what runs them.
build_tests() { # OPTION...
  export QUADRILLE_OPTIMISED_ROOMS=1
  local options=("${test_options[@]}" "$@")
  quietly swift build --build-tests "${options[@]}" || fail 'the build of the tests failed; its words are above'
  tests=$(swift build --show-bin-path "${options[@]}")/quadrillePackageTests.xctest
}

build_release() {
  local target
  target=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
  if [[ -d ${target}_static ]]; then release+=(--static-swift-stdlib); fi
  [[ -x $binary ]] || say 'building; the first time takes a few minutes'
  quietly swift build --package-path "$root" "${release[@]}" || fail 'the build failed; its words are above'
}
