function %(complete_func)s
    for line in (COMP_LINE=(commandline -cp) %(complete_var)s=fish_complete %(prog_name)s 2>/dev/null)
        set -l parts (string split \t -- $line)
        switch $parts[1]
            case plain open
                printf '%%s\t%%s\n' $parts[2] "$parts[3]"
            case file
                __fish_complete_path (commandline -ct)
            case dir
                __fish_complete_directories (commandline -ct)
        end
    end
end
complete --no-files --keep-order --command %(prog_name)s --arguments '(%(complete_func)s)'
