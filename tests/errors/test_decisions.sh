# Errors of `meshsim validate --decisions`: messages with their place, exit code 2; and rows that it
# cannot ask, each with its reason. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"
. "$MESHSIM_SOURCE_DIR/tests/support/validate.sh"

head='id,system,scenario,option,metric,value,unit,source,kind'

# refused NAME EXPECTED: reads bad.csv, with rows from standard input
refused() {
	cat >bad.csv
	meshsim validate --decisions bad.csv
	exits "$1" 2
	contains "$1" "$err" "$2"
	equal "$1: standard output" "$out" ""
}

refused "unknown column" "bad.csv:1:11: error: unknown column 'scenaro', did you mean 'scenario'?
id,system,scenaro,option,metric,value,unit,source,kind
          ^" <<END
id,system,scenaro,option,metric,value,unit,source,kind
END
refused "missing column" "bad.csv:1:1: error: missing column 'kind'" <<END
id,system,scenario,option,metric,value,unit,source
END
refused "a column twice" "bad.csv:1:4: error: column 'id' is there twice" <<END
id,id,system,scenario,option,metric,value,unit,source,kind
END
refused "cells" "bad.csv:2:1: error: 3 cells in a table of 9 columns" <<END
$head
a,b,c
END
refused "value" "bad.csv:2:34: error: a value is a number above zero, not 'fast'; words need the metric 'verdict'" <<END
$head
a,n300,programs,trace,time in us,fast,us,x,trace
END
refused "verdict" "bad.csv:2:31: error: unknown verdict 'fastre', did you mean 'faster'?" <<END
$head
a,n300,programs,trace,verdict,fastre,,x,trace
END
refused "no verdict" "bad.csv:2:31: error: a verdict is faster, slower, better, worse or equal, not '7'" <<END
$head
a,n300,programs,trace,verdict,7,,x,trace
END
refused "no id" "bad.csv:2:1: error: id is empty" <<END
$head
,n300,programs,trace,time,1,us,x,trace
END
refused "an open quote" "bad.csv:2:8: error: the quote is not closed in this line" <<END
$head
a,n300,"programs,trace,time,1,us,x,trace
END
refused "behind a quote" "bad.csv:2:20: error: a comma is expected behind a quoted cell" <<END
$head
é,n300,"prog""rams"x,trace,time,1,us,x,trace
END
refused "rows apart" "bad.csv:4:1: error: rows of 'a' began in line 2: rows of one id stand together" <<END
$head
a,n300,programs,trace,time,1,us,x,trace
b,n300,programs,trace,time,1,us,x,trace
a,n300,programs,no trace,time,1,us,x,trace
END
refused "same as nothing" "bad.csv:2:1: error: 'same' in the first row of 'a': the same as what?" <<END
$head
a,n300,same; 4 cores,trace,time,1,us,x,trace
END
refused "no rows" "bad.csv:1:1: error: no rows" <<END
$head
END
meshsim validate --decisions nowhere.csv
exits "unreadable file" 2
contains "unreadable file" "$err" "nowhere.csv: error: cannot read"

# Rows that cannot be asked are listed with the reason, and do not affect the others.
cat >some.csv <<END
$head
known,n300,programs of 256 B kernels on 1 core,trace replay,time per program,1.054,us,x,trace
known,n300,same,no trace,time per program,2.707,us,x,trace
strange,n300,a kettle,on,time,1,s,x,trace
strange,n300,same,off,time,2,s,x,trace
alike,n300,programs of 256 B kernels on 1 core,trace; red,time per program,1,us,x,trace
alike,n300,same,trace; blue,time per program,2,us,x,trace
power,n300,programs of 256 B kernels on 1 core,trace,package power,1,W,x,trace
power,n300,same,no trace,package power,2,W,x,trace
END
meshsim validate --decisions some.csv
exits "some rows" 0
equal "the answer comes first" "$(echo "$out" | head -n 1)" \
	"4 decisions of record: 1 right, 0 wrong, 0 undecided, 3 not asked"
contains "unknown words" "$out" "since no scenario of kind 'trace' has these words"
contains "the same scenario" "$out" "since no choice tells 'trace; red' from 'trace; blue'"
contains "no figure" "$out" "since program_dispatch gives no figure for 'package power'"
equal "columns" "$(echo "$out" | awk 'length > 80')" ""

# Units may differ from row to row, and rates may be named in any way. Rows of different experiments are not compared.
# An option without words of its own is not asked: its experiment would be that of the defaults.
cat >units.csv <<END
$head
times,n300,programs of 256 B kernels on 1 core,trace,time per program,1054,ns,x,trace
times,n300,same,no trace,time per program,0.0027,ms,x,trace
rates,t3k,decode; 1 layers,trace,throughput,88,fps,x,trace
rates,t3k,same,no trace,throughput,65,fps,x,trace
unclear,n300,programs of 256 B kernels on 1 core,trace,figure,1,points,x,trace
unclear,n300,same,no trace,figure,2,points,x,trace
apart,galaxy,a pool of threads that busy-wait; 8 devices,serial,time,23,us,x,threads
apart,galaxy,same,semaphore,time,33,us,x,threads
unknown,n300,messages of 64 B over a socket,TCP,latency,6,us,x,transport
unknown,n300,same,io_uring,latency,3,us,x,transport
END
meshsim validate --decisions units.csv
equal "units" "$(echo "$out" | head -n 1)" "5 decisions of record: 2 right, 0 wrong, 0 undecided, 3 not asked"
contains "units of time" "$out" "measured 2.56"
contains "rates" "$out" "measured 1.35"
contains "no direction" "$out" "since neither 'figure' nor the unit 'points' says whether more is better"
contains "different experiments" "$out" "since only one of its options is a scenario"
contains "no words" "$out" "since transport has no words for the option 'io_uring'"

meshsim validate --decisions some.csv
# Lines are broken at blanks: joined by blanks, they are the words that JSON has without lines.
joined=$(printf '%s\n' "$out" | tr -s '\n ' '  ')
meshsim validate --decisions some.csv --json
rests_on=$(printf '%s\n' "$out" | sed -n 's/.*"rests_on": "\([^"]*\)".*/\1/p' | head -n 1)
at_most "letters of the mechanism" 100 "${#rests_on}"
contains "broken lines" "$joined" "rests on $rests_on"
finish
