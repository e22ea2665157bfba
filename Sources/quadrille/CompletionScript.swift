import ArgumentParser

/// The completion scripts that `--generate-completion-script SHELL` prints.
///
/// The library's scripts complete only subcommands after the program's name. The code added here also completes the
/// options and arguments of the default command.
enum CompletionScript {
  /// The script requested by the arguments, or nil if they request none.
  static func asked(by arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "--generate-completion-script" else { return nil }
    switch CompletionShell(rawValue: arguments[1]) {
    case .bash: return Quadrille.completionScript(for: .bash) + "\n" + bash
    // zsh reads the name of the completed program from the first line.
    case .zsh: return "#compdef quadrille\n" + NamedApart.completionScript(for: .zsh) + "\n" + zsh
    case .fish: return Quadrille.completionScript(for: .fish) + "\n" + fish
    default: return nil
    }
  }

  /// The program under another name, so that `_quadrille` stays free for the function that zsh calls.
  private struct NamedApart: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "quadrille-command", version: Quadrille.configuration.version,
      subcommands: Quadrille.configuration.subcommands)
  }

  private static let bash = """
    _quadrille_default() {
        case "${COMP_WORDS[1]}" in
        play|info|frames|frame|thumbnails|render|convert|storyboard|help)
            if ((COMP_CWORD > 1)); then
                _quadrille "${@}"
                return
            fi
            ;;
        esac
        local -i is_first=$((COMP_CWORD == 1))
        local cur="${2}"
        COMP_WORDS=("${COMP_WORDS[0]}" play "${COMP_WORDS[@]:1}")
        ((COMP_CWORD++))
        _quadrille "${@}"
        if ((is_first)) && [[ "${cur}" != -* ]]; then
            COMPREPLY+=($(compgen -W 'info frames frame thumbnails render convert storyboard help' -- "${cur}"))
        fi
    }

    complete -o filenames -F _quadrille_default quadrille
    """

  private static let zsh = """
    _quadrille() {
        local -i ret=1
        if ((CURRENT == 2)) && [[ "${words[2]}" != -* ]]; then
            local -ar commands=('info:Show what clips contain.' 'frames:Print the PTS, duration and MD5 of every frame.'
                'frame:Save one frame of a clip as PNG or JPEG.' 'thumbnails:Save or print a contact sheet of a clip.'
                'render:Render a movie to a video file.' 'convert:Convert a movie between YAML, EDL and OTIO.'
                'storyboard:Check, graph or import a storyboard.')
            _describe -V command commands && ret=0
        fi
        if ((CURRENT == 2)) || [[ "${words[2]}" != (play|info|frames|frame|thumbnails|render|convert|storyboard|help) ]]; then
            words=("${words[1]}" play "${(@)words[2,-1]}")
            ((CURRENT++))
        fi
        _quadrille-command "${@}" && ret=0
        return "${ret}"
    }

    if [[ "${funcstack[1]}" = _quadrille ]]; then
        _quadrille "${@}"
    else
        compdef _quadrille quadrille
    fi
    """

  private static let fish = """
    functions --copy __quadrille_tokens __quadrille_typed_tokens
    function __quadrille_tokens
        set -l tokens (__quadrille_typed_tokens $argv)
        if test (count $tokens) -gt 0; and not contains -- "$tokens[2]" play info frames frame thumbnails render convert storyboard help
            set tokens $tokens[1] play $tokens[2..]
        end
        printf '%s\\n' $tokens
    end

    complete -c 'quadrille' -n 'test (count (__quadrille_typed_tokens -pc)) -eq 1' -fa 'info' -d 'Show what clips contain.'
    complete -c 'quadrille' -n 'test (count (__quadrille_typed_tokens -pc)) -eq 1' -fa 'frames' -d 'Print the PTS, duration and MD5 of every frame.'
    complete -c 'quadrille' -n 'test (count (__quadrille_typed_tokens -pc)) -eq 1' -fa 'frame' -d 'Save one frame of a clip as PNG or JPEG.'
    complete -c 'quadrille' -n 'test (count (__quadrille_typed_tokens -pc)) -eq 1' -fa 'thumbnails' -d 'Save or print a contact sheet of a clip.'
    complete -c 'quadrille' -n 'test (count (__quadrille_typed_tokens -pc)) -eq 1' -fa 'render' -d 'Render a movie to a video file.'
    complete -c 'quadrille' -n 'test (count (__quadrille_typed_tokens -pc)) -eq 1' -fa 'convert' -d 'Convert a movie between YAML, EDL and OTIO.'
    complete -c 'quadrille' -n 'test (count (__quadrille_typed_tokens -pc)) -eq 1' -fa 'storyboard' -d 'Check, graph or import a storyboard.'
    """
}
