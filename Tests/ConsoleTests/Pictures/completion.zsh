#compdef brew
# zsh completion for brew
_brew() {
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
      _describe brew found
      ;;
  esac
}
if [[ ${funcstack[1]} == _brew ]]; then
  _brew "$@"
else
  compdef _brew brew
fi
