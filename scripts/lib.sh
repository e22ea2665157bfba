# shellcheck shell=bash disable=SC2034
# Shared by the scripts; sourced, not run. Expects `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'quadrille: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

[[ $(uname -s) == Linux ]] || fail "quadrille runs on Linux only; this is $(uname -s)"

# Requirements of the build, the sample clips and the tests: Debian package, then how to check that it is installed.
build_needs=(
  'git command git' 'pkg-config command pkg-config' 'libc6-dev file /usr/include/stdlib.h'
  'libavformat-dev library libavformat' 'libavcodec-dev library libavcodec'
  'libavutil-dev library libavutil' 'libswscale-dev library libswscale'
  'libswresample-dev library libswresample' 'libsonic-dev file /usr/include/sonic.h'
  'libncurses-dev library ncursesw' 'libyaml-dev library yaml-0.1'
  'libfribidi-dev library fribidi' 'libuchardet-dev library uchardet'
  'libutf8proc-dev library libutf8proc' 'libcurl4-openssl-dev library libcurl'
  'libpulse-dev library libpulse' 'libasound2-dev library alsa'
)
sample_needs=('ffmpeg command ffmpeg')
test_needs=(
  'ffmpeg command ffmpeg' 'libvterm-dev library vterm' 'ncurses-bin command tput'
  'ncurses-base terminfo tmux-256color' 'ncurses-term terminfo xterm-direct' 'perl-base command perl'
  'tmux command tmux' 'openssl command openssl'
  # An RTSP server.
  "gir1.2-gst-rtsp-server-1.0 file /usr/lib/$(uname -m)-linux-gnu/girepository-1.0/GstRtspServer-1.0.typelib"
  "gstreamer1.0-plugins-good file /usr/lib/$(uname -m)-linux-gnu/gstreamer-1.0/libgstisomp4.so"
  'python3-gi file /usr/lib/python3/dist-packages/gi/__init__.py'
)

is_there() { # KIND NAME
  case $1 in
    command) command -v "$2" > /dev/null ;;
    file) [[ -e $2 ]] ;;
    library) command -v pkg-config > /dev/null && pkg-config --exists "$2" ;;
    terminfo) infocmp "$2" > /dev/null 2>&1 ;;
  esac
}

# Installs missing requirements with apt. Without apt, fails and lists what to install.
install_missing() { # NEED...
  local need package kind name missing=() described=()
  for need in "$@"; do
    read -r package kind name <<< "$need"
    if is_there "$kind" "$name"; then continue; fi
    missing+=("$package")
    described+=("$(describe "$kind" "$name")")
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get > /dev/null; then
    say 'missing requirements, and no apt-get to install them:'
    printf '  %s\n' "${described[@]}" >&2
    fail 'install them with your package manager, then run this script again'
  fi
  local sudo=()
  if ((EUID != 0)); then
    command -v sudo > /dev/null || fail "root or sudo is required to install ${missing[*]}"
    sudo=(sudo)
  fi
  say "installing ${missing[*]}"
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  # apt's progress belongs on the terminal, not in this script's output.
  "${apt[@]}" update >&2
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt-get could not install ${missing[*]}; Debian 12 or later, or Ubuntu 24.04 or later, has them"
}

describe() { # KIND NAME
  case $1 in
    library) printf 'library %s, with headers and its pkg-config file' "$2" ;;
    terminfo) printf 'terminfo entry %s' "$2" ;;
    *) printf '%s %s' "$1" "$2" ;;
  esac
}

# Fails if the installed FFmpeg is too old to build with.
need_ffmpeg() {
  pkg-config --atleast-version=59.37 libavcodec ||
    fail "quadrille requires FFmpeg 5.1 or later (libavcodec 59.37); this system has libavcodec $(pkg-config --modversion libavcodec)"
}

# Fails unless this is Debian or a derivative.
need_debian() { # SCRIPT
  command -v dpkg > /dev/null && [[ -e /etc/os-release ]] || fail "$1 requires Debian or Ubuntu"
}

# Fails unless a recent enough Swift toolchain is installed.
need_toolchain() {
  local version wanted='Swift 6.2 or later (https://www.swift.org/install/linux)'
  # swiftly installs its commands here; a shell that has not read its settings does not have them in PATH.
  local swiftly=${SWIFTLY_BIN_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/swiftly/bin}
  if ! command -v swift > /dev/null && [[ -x $swiftly/swift ]]; then PATH=$swiftly:$PATH; fi
  command -v swift > /dev/null || fail "quadrille requires $wanted; cannot find swift in PATH"
  version=$(swift --version 2> /dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | sed -n 1p)
  [[ -n $version ]] || fail "quadrille requires $wanted; the swift in PATH does not run"
  # The older of the two versions comes first.
  [[ $(printf '%s\n' 6.2 "$version" | sort -V | sed -n 1p) == 6.2 ]] ||
    fail "quadrille requires $wanted; the swift in PATH is $version"
}

# Runs a build, showing one line of progress on a terminal; prints all of its output if it fails.
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

# Sets `linker` to the options for linking fast. Swift uses gold where it is. Debian 13 has none, and GNU's ld takes minutes for
# the tests, so there the linker that comes with Swift is used.
linker=()
choose_linker() {
  local folder
  folder=$(dirname "$(readlink -f "$(command -v swift)")")
  if ! command -v ld.gold > /dev/null && [[ -x $folder/ld.lld ]]; then linker=(-Xswiftc -use-ld=lld); fi
}

# Builds the tests and the program they run, with assertions; sets `tests` to the executable that runs them. Without an index
# and debug information, which nobody reads, the compiler needs a fifth less time.
build_tests() { # OPTION...
  need_ffmpeg
  export QUADRILLE_OPTIMISED_ROOMS=1
  choose_linker
  local options=(--disable-xctest --disable-index-store -debug-info-format none "${linker[@]}" "$@")
  quietly swift build --package-path "$root" --build-tests "${options[@]}" || fail 'building the tests failed; see above'
  tests=$(swift build --package-path "$root" --show-bin-path "${options[@]}")/quadrillePackageTests.xctest
}

# Runs tests; without TERM there are no colours. A test that hangs is ended by its own time limit, or at last by this one.
run_tests() { # ARGUMENT...
  timeout --foreground --kill-after=30 "${limit:-30m}" env -u TERM "$tests" --testing-library swift-testing "$@" 2>&1
}

# Runs all tests and returns 1 if any failed, with the failures repeated at the end. Whole programs wait for most of their
# time, so several run at once, and unit tests run beside them at the lowest priority, so that no program is late because of
# them.
run_all_tests() { # PROGRAMS AT ONCE
  local logs failed=0 start=$SECONDS suites
  logs=$(mktemp -d)
  # The suites with the most tests first, so that no long one is left for the end.
  suites=$(run_tests --list-tests | sed -nE 's#^((Program|Example)Tests\.[^/]*)/.*#\1#p' | sort | uniq -c | sort -rn | awk '{print $2}')
  [[ -n $suites ]] || fail 'no tests were found'
  export -f run_tests run_suite
  export tests logs limit
  # Tests wait for the ffmpeg command, so two processes of them use two processors better than one does.
  nice -n 19 bash -c 'run_suite PlaybackTests --filter "^PlaybackTests\\."' &
  local playback=$!
  nice -n 19 bash -c 'run_suite others --skip "^(PlaybackTests|ProgramTests|ExampleTests)\\."' &
  local others=$!
  xargs -P "$1" -I{} bash -c 'run_suite {} --no-parallel --filter "^{}/"' <<< "$suites" || failed=1
  wait "$playback" || failed=1
  wait "$others" || failed=1
  list_failures "$logs"/*
  say "$(awk '/Test run with [0-9]+ tests?/ { for (i = 1; i < NF; i++) if ($i == "with") tests += $(i + 1) } END { printf "%d tests", tests }' \
    "$logs"/*) ran in $((SECONDS - start)) seconds"
  rm -rf "$logs"
  return "$failed"
}

# Runs one process of tests and prints its output as one piece when it ends.
run_suite() { # NAME ARGUMENT...
  local name=$1 status=0
  shift
  run_tests "$@" > "$logs/$name" || status=$?
  ((status == 0)) || printf 'error: %s ended with status %s\n' "$name" "$status" >> "$logs/$name"
  flock "$logs" cat "$logs/$name"
  return "$status"
}

# The issues that a run recorded, with the lines that belong to them, and how it ended.
list_failures() { # LOG...
  awk '
    /^[^ ]+ (Test|Suite) .* recorded an issue/ { print; belongs = 1; lines = 0; next }
    belongs && (/^↳/ || /^  /) && lines++ < 30 { print "  " $0; next }
    { belongs = 0 }
    /Fatal error|^error:|[Uu]nexpected signal|Precondition failed/ { print }
  ' "$@" >&2
}

build_release() {
  local target
  need_ffmpeg
  target=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
  choose_linker
  release+=("${linker[@]}")
  if [[ -d ${target}_static ]]; then release+=(--static-swift-stdlib); fi
  [[ -x $binary ]] || say 'building; the first time takes a few minutes'
  quietly swift build --package-path "$root" "${release[@]}" || fail 'the build failed; see above'
}

# Installs the program, its manual page and shell completions below a folder, with the words of `as` before each command.
as=()
install_program() { # FOLDER
  local work shell
  work=$(mktemp -d)
  for shell in bash zsh fish; do
    "$binary" --generate-completion-script "$shell" > "$work/$shell"
  done
  # Symbols are more than half of the program. The file in the build folder keeps them.
  strip -o "$work/quadrille" "$binary" 2> /dev/null || cp "$binary" "$work/quadrille"
  while read -r mode source target; do
    "${as[@]}" install -D -m "$mode" "$source" "$1/$target"
    printf '%s\n' "$1/$target"
  done << END
755 $work/quadrille bin/quadrille
644 $root/docs/quadrille.1 share/man/man1/quadrille.1
644 $work/bash share/bash-completion/completions/quadrille
644 $work/zsh share/zsh/site-functions/_quadrille
644 $work/fish share/fish/vendor_completions.d/quadrille.fish
END
  rm -rf "$work"
}
