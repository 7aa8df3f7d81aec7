#compdef %(prog_name)s

%(complete_func)s() {
    local kind value help files dirs
    local -a plain shown open
    (( $+commands[%(prog_name)s] )) || return 1
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain) plain+=("$value"); shown+=("$value${help:+  -- $help}") ;;
            open) open+=("$value") ;;
            file) files=1 ;;
            dir) dirs=1 ;;
        esac
    done < <(COMP_LINE="${(j: :)words[1,CURRENT]}" %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)
    (( $#open )) && compadd -U -V skyshelf -S '' -a open
    (( $#plain )) && compadd -U -V skyshelf -l -d shown -a plain
    [[ -n $files ]] && _path_files -f
    [[ -n $dirs ]] && _path_files -/
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
