# tap.sh: what the check scripts in sh share; to be sourced. Results are lines of TAP, as tools/run-tests reads them.
cases=0
failures=0

# check TEXT COMMAND...: one case, which holds if the command succeeds; what it prints is shown if it does not.
check()
{
    text=$1
    shift
    cases=$((cases + 1))
    if said=$("$@" 2>&1); then
        echo "ok - $text"
    else
        failures=$((failures + 1))
        echo "not ok - $text"
        [ -z "$said" ] || echo "$said" | sed 's/^/#   /'
    fi
}

# none TEXT LINES: one case, which holds if there are no such lines.
none()
{
    check "$1" empty "$2"
}

empty()
{
    [ -z "$1" ] || { echo "$1"; false; }
}

# To be called last: the number of cases, and the exit code.
finish()
{
    echo "1..$cases"
    exit $((failures > 0))
}
