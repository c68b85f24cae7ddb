# Every name that one module of the report page imports is exported by another: a browser would only
# notice while drawing. label: full
set -eu
cd "${MESHSIM_SOURCE_DIR:?}/analysis/report/page"

given=$(grep -ohE '^(const )?R\.[a-zA-Z_]+ =|^	[a-zA-Z_]+: ' base.js chart.js ./*.js |
	sed 's/^const //; s/^R\.//; s/ =$//; s/^	//; s/: $//' | sort -u)
taken=$(grep -ohE '(^|[^A-Za-z0-9_.])R\.[a-zA-Z_]+' ./*.js | sed 's/.*R\.//' | sort -u)
missing=
for name in $taken; do
	printf '%s\n' "$given" | grep -qx "$name" || missing="$missing R.$name"
done
[ "$(printf '%s\n' "$taken" | wc -l)" -gt 20 ] || { echo "only these are taken: $taken"; exit 1; }
[ -z "$missing" ] || { echo "nobody gives$missing"; exit 1; }
