# bash completion for brew
_brew() {
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
complete -F _brew brew
