# label: full  timeout: 600
# Verdicts on result files whose queues a row of planted/loads.yaml chooses: outcome, winner, mechanism, contradicting
# figures and crossovers follow from these.
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

planted=$source_directory/tests/laws/verdict/planted
python3 "$planted/planted.py" "$binary" verdicts --plant "$MESHSIM_BUILD_DIR/tests/plant_loads" \
	"$planted/loads.yaml" >seen.txt 2>&1 || fail "$(cat seen.txt)"
cat seen.txt
finish
