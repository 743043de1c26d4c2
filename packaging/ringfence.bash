# SPDX-License-Identifier: Apache-2.0
#
# Completion of ringfence and rf-vfio-user for bash. Commands and options are those that the
# programs print with --help.

_ringfence_options()
{
	"$@" --help 2>/dev/null | grep -oE '(^|[[ ])--[a-z][a-z-]*' | tr -d '[ ' | sort -u
}

_ringfence()
{
	local cur prev words cword split command
	_init_completion -n =:, || return

	case $prev in
	--device)
		[[ ${words[1]} == link ]] && COMPREPLY=($(compgen -W 'serial:' -- "$cur")) ||
			COMPREPLY=($(compgen -W 'sim: drm: pci: serial: miniport:' -- "$cur"))
		compopt -o nospace
		__ltrim_colon_completions "$cur"
		return
		;;
	--present | --hold | --freeze | --gear | --ctc)
		COMPREPLY=($(compgen -W 'on off' -- "$cur"))
		return
		;;
	--idle)
		COMPREPLY=($(compgen -W 'bit pin both' -- "$cur"))
		return
		;;
	--sci)
		COMPREPLY=($(compgen -W 'channel: common:' -- "$cur"))
		compopt -o nospace
		__ltrim_colon_completions "$cur"
		return
		;;
	--input | --output | --miniport | --events | --picture)
		_filedir
		return
		;;
	--waves)
		_filedir -d
		return
		;;
	esac
	command=("${words[0]}")
	if [[ ${words[0]##*/} == ringfence ]]; then
		if ((cword == 1)); then
			COMPREPLY=($(compgen -W "$("${words[0]}" --help 2>/dev/null |
				sed -n 's/^  \([a-z]*\) .*/\1/p') --help --version" -- "$cur"))
			return
		fi
		command+=("${words[1]}")
	fi
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$(_ringfence_options "${command[@]}")" -- "$cur"))
	else
		_filedir
	fi
} && complete -F _ringfence ringfence rf-vfio-user
