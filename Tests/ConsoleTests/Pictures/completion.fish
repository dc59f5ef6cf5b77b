# fish completion for brew
function __brew_complete
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
complete -c brew -f -a '(__brew_complete)'
