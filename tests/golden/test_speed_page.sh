# The table of speed is not older than the budget of instructions: it names the figures of the program that it measured.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

cp -r "$source_directory/bench" "$source_directory/docs" .
said=$(python3 bench/speed.py --check) || fail "$said"

# A budget that moves makes it old.
sed -i 's/^each: {instructions: \([0-9]*\)/each: {instructions: 1\1/' bench/budget/budget.yaml
said=$(python3 bench/speed.py --check) && fail 'a budget of five times as much'
contains 'which figure moved' "$said" 'each: '
contains 'what to do' "$said" 'python3 bench/speed.py build --write'
finish
