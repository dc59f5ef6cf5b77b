/// A shell that can complete our words. Its script is short: it asks the program, which knows its own table.
public enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  public func script(for program: Program) -> String {
    let template =
      switch self {
      case .bash: bashScript
      case .zsh: zshScript
      case .fish: fishScript
      }
    let parts = template.split(separator: "PROGRAM", omittingEmptySubsequences: false)
    return parts.joined(separator: program.name) + "\n"
  }
}

extension Shell {
  /// Where the script belongs, as a command to paste.
  public func advice(for program: Program) -> String {
    let name = program.name
    let file =
      switch self {
      case .bash: "~/.local/share/bash-completion/completions/\(name)"
      case .zsh: "~/.zfunc/_\(name)"
      case .fish: "~/.config/fish/completions/\(name).fish"
      }
    let more = self == .zsh ? "; ~/.zshrc has fpath+=(~/.zfunc) before compinit" : ""
    return "next: mkdir -p \(folder(file)) && \(name) completion \(rawValue) > \(file)\(more)"
  }

  private func folder(_ file: String) -> String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "." }
}

/// Bash splits words at `=` and `:`; they are joined again, and what stands before the last one is cut off the answers.
private let bashScript = #"""
  # bash completion for PROGRAM
  _PROGRAM() {
    local word joined= cut i
    local -a words=() lines=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
      word=${COMP_WORDS[i]}
      if [[ -n $joined || $word == [=:]* ]] && ((${#words[@]})); then
        words[${#words[@]} - 1]+=$word
      else
        words+=("$word")
      fi
      [[ $word == *[=:] ]] && joined=1 || joined=
    done
    word=${words[${#words[@]} - 1]}
    cut=${word%"${word##*[=:]}"}
    mapfile -t lines < <("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)
    COMPREPLY=()
    case ${lines[0]-} in
      :files | :directories)
        local kind=-f
        [[ ${lines[0]} == :directories ]] && kind=-d
        type compopt &>/dev/null && compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$kind" -- "${word#"$cut"}")
        ;;
      :words)
        for word in "${lines[@]:1}"; do
          word=${word%%$'\t'*}
          COMPREPLY+=("${word#"$cut"}")
        done
        ;;
    esac
  }
  complete -F _PROGRAM PROGRAM
  """#

private let zshScript = #"""
  #compdef PROGRAM
  # zsh completion for PROGRAM
  _PROGRAM() {
    local -a lines found
    local line
    lines=("${(@f)$(${words[1]} __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    case ${lines[1]} in
      :files) [[ $PREFIX == -*=* ]] && compset -P '*='; _files ;;
      :directories) [[ $PREFIX == -*=* ]] && compset -P '*='; _files -/ ;;
      :words)
        for line in "${(@)lines[2,-1]}"; do
          [[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        done
        _describe PROGRAM found
        ;;
    esac
  }
  if [[ ${funcstack[1]} == _PROGRAM ]]; then
    _PROGRAM "$@"
  else
    compdef _PROGRAM PROGRAM
  fi
  """#

private let fishScript = #"""
  # fish completion for PROGRAM
  function __PROGRAM_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc)
    set -l lines ($words[1] __complete -- $words[2..-1] $current 2>/dev/null)
    switch "$lines[1]"
      case :files
        __fish_complete_path $current
      case :directories
        __fish_complete_directories $current
      case :words
        string join \n -- $lines[2..-1]
    end
  end
  complete -c PROGRAM -f -a '(__PROGRAM_complete)'
  """#
