#!/bin/sh
# Stands in for llvm-mc and llvm-objdump and fails to order: it runs the real tool of LLVM 22 and spoils what that
# prints. Linked under the tool's name into a directory whose file `plan` sets these variables:
#
#   version, targets   what --version says
#   how                segv, hang, exit, truncate, garble: what happens at the fatal place; none: nothing
#   killer_mc          the fatal place: the line of llvm-mc's input with this in it
#   killer_objdump     the line of llvm-objdump's listing with this in it
#   span               instead: in every run another line, below this number; later than the last one is no fault
#   lost               bytes of stdout that die with the tool
#   unknown            a processor that it does not know
#   out, err           sed scripts that spoil stdout and stderr of every run
version=22.1.8 targets=amdgcn how=none killer_mc= killer_objdump= span=0 lost=0 unknown= out= err=
dir=$(dirname "$0")
name=$(basename "$0")
. "$dir/plan"

if [ "$1" = --version ]; then
    printf 'Fake LLVM version %s\n\n  Registered Targets:\n    %s - a target\n' "$version" "$targets"
    exit 0
fi
if [ "$how" = always ]; then
    echo 'fake: cannot do anything' >&2
    kill -SEGV $$
fi
if [ -n "$unknown" ]; then
    case " $* " in
    *"-mcpu=$unknown "*)
        echo "'$unknown' is not a recognized processor for this target (ignoring processor)" >&2
        exit 1
        ;;
    esac
fi

real=$(command -v "$name-22") || { echo "fake: LLVM 22 is needed" >&2; exit 99; }
work=$(mktemp -d)
cat >"$work/in"
run=$(cat "$dir/$name.runs" 2>/dev/null || echo 0)
echo $((run + 1)) >"$dir/$name.runs"

place() { # the number of the first line of file $2 with $1 in it
    [ -z "$1" ] || grep -n -a -F -e "$1" "$2" | head -n 1 | cut -d : -f 1
}

at=
if [ "$name" = llvm-mc ]; then
    at=$(place "$killer_mc" "$work/in")
    lines=$(wc -l <"$work/in")
else
    "$real" "$@" <"$work/in" >"$work/out" 2>"$work/err"
    at=$(place "$killer_objdump" "$work/out")
    lines=$(wc -l <"$work/out")
fi
if [ "$span" -gt 0 ]; then
    at=$((((run + 1) * 2654435761 >> 16) % span + 1))
    [ "$at" -le "$lines" ] || at=
fi

if [ "$name" = llvm-mc ]; then
    # It dies before the fatal line, with all its warnings up to there on the unbuffered stderr.
    head -n "$((${at:-lines + 1} - 1))" "$work/in" | "$real" "$@" >"$work/out" 2>"$work/err"
    code=$((${at:-0} == 0 ? 1 : 0))
else
    head -n "$((${at:-lines + 1} - 1))" "$work/out" >"$work/cut"
    mv "$work/cut" "$work/out"
    code=0
fi
sed -i -e "$out" "$work/out"
sed -e "$err" "$work/err" >&2
if [ -z "$at" ]; then
    cat "$work/out"
    rm -r "$work"
    exit $code
fi
head -c "-$lost" "$work/out"
rm -r "$work"
case $how in
segv) kill -SEGV $$ ;;
hang) exec sleep 100 ;;
exit) exit 70 ;;
garble) printf '\t\001\377 // 0: ?\n' ;;
truncate) ;;
esac
exit 0
