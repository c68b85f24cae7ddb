# Errors of `meshsim validate` and of the fabric steps: messages with their place, exit code 2.
# label: full
. "$MESHSIM_SOURCE_DIR/tests/support/cli.sh"

head='family,system,params,metric,value,unit,spread,source'

# refused NAME EXPECTED: validates bad.csv, with rows from standard input
refused() {
	cat >bad.csv
	meshsim validate --reference bad.csv
	exits "$1" 2
	contains "$1" "$err" "$2"
	equal "$1: standard output" "$out" ""
}

refused "unknown column" "bad.csv:1:15: error: unknown column 'parms', did you mean 'params'?" <<END
family,system,parms,metric,value,unit,spread,source
END

refused "missing column" "bad.csv:1:1: error: missing column 'source'" <<END
family,system,params,metric,value,unit,spread
END

refused "a column twice" "bad.csv:1:8: error: column 'family' is there twice" <<END
family,family,system,params,metric,value,unit,spread,source
END

refused "an open quote" "bad.csv:2:20: error: the quote is not closed in this line" <<END
$head
fabric_latency,t3k,"op=write,round_trip_avg,1,ns,,x
END

refused "unknown parameter" "bad.csv:2:20: error: unknown parameter 'opp', did you mean 'op'?" <<END
$head
fabric_latency,t3k,opp=write;op=write;topology=ring;payload_bytes=16,round_trip_avg,1,ns,,x
END

refused "impossible value" "bad.csv:2:20: error: op=wrte: one of write|fused_atomic_inc is wanted" <<END
$head
fabric_latency,t3k,op=wrte;topology=ring;payload_bytes=16,round_trip_avg,1,ns,,x
END

refused "no number" "bad.csv:2:43: error: payload_bytes=x: a whole number is wanted" <<END
$head
fabric_latency,t3k,op=write;topology=ring;payload_bytes=x,round_trip_avg,1,ns,,x
END

refused "missing parameter" "bad.csv:2:20: error: missing parameter 'payload_bytes'" <<END
$head
fabric_latency,t3k,op=write;topology=ring,round_trip_avg,1,ns,,x
END

refused "value" "error: a value is a number above zero, not 'fast'" <<END
$head
fabric_latency,t3k,op=write;topology=ring;payload_bytes=16,round_trip_avg,fast,ns,,x
END

refused "metric" "error: metric 'round_trip': fabric_latency has round_trip_avg" <<END
$head
fabric_latency,t3k,op=write;topology=ring;payload_bytes=16,round_trip,1,ns,,x
END

for value in inf nan 1e400 0x 1_000 ' 5' '5 '; do
	printf '%s\nfabric_latency,t3k,op=write;topology=ring;payload_bytes=16,round_trip_avg,%s,ns,,x\n' "$head" "$value" >rows.csv
	refused "value $value" "bad.csv:2:75: error: a value is a number above zero, not '$value'" <rows.csv
done

for spread in 'min nan p99 2 max 3' 'min 1 p99 2 max inf' 'min 1 p99 2 max 1e400' 'min 2 p99 1 max 3' 'min 1 p99 4 max 3' \
	'min -1 p99 2 max 3' 'min 1 p99 2' 'min 1 p99 2 max 3 x' 'tolerance nan %' 'tolerance -1 %' 'tolerance 101 %' 'tolerance 2'; do
	printf '%s\nfabric_latency,t3k,op=write;topology=ring;payload_bytes=16,round_trip_avg,1,ns,%s,x\n' "$head" "$spread" >rows.csv
	refused "spread $spread" "bad.csv:2:80: error: a spread in numbers is 'tolerance N %', up to 100, or 'min A p99 B max C', rising, not '$spread'" <rows.csv
done

refused "a row given twice" "bad.csv:4:1: error: this figure is there already, in line 2
fabric_latency,t3k,payload_bytes=16;topology=ring;op=write,round_trip_avg,2,ns,,x
^" <<END
$head
fabric_latency,t3k,op=write;topology=ring;payload_bytes=16,round_trip_avg,1,ns,,x
fabric_latency,t3k,op=write;topology=ring;payload_bytes=32,round_trip_avg,1,ns,,x
fabric_latency,t3k,payload_bytes=16;topology=ring;op=write,round_trip_avg,2,ns,,x
END

refused "no devices" "error: devices=many: one of all|#|#x# is wanted" <<END
$head
fabric_bandwidth,t3k,devices=many;pattern=linear_multicast;op=write;topology=linear,busiest_link_payload,1,GB/s,,x
END

meshsim validate --reference nowhere.csv
exits "unreadable file" 2
contains "unreadable file" "$err" "nowhere.csv: error: cannot read"

# A row that cannot run is reported, and gets no prediction.
cat >ring.csv <<END
$head
fabric_latency,t3k,op=write;topology=ring;hops=9;payload_bytes=16,round_trip_avg,1,ns,,x
END
meshsim validate --reference ring.csv --rows
exits "a row that cannot run" 0
contains "a row that cannot run" "$out" "not runnable: hops: no way of 9 hops in a mesh of 2 x 4 devices"
meshsim validate --reference ring.csv --json --rows
contains "a row that cannot run, JSON" "$out" '"n": 0, "not_run": 1'
contains "a row that cannot run, JSON" "$out" '"predicted": null'

# An unknown family is named and counted, and does not affect the others.
cat >other.csv <<END
$head
fabric_latenc,t3k,op=write,round_trip_avg,1,ns,,x
fabric_latency,t3k,op=write;topology=ring;payload_bytes=16,round_trip_avg,1822,ns,min 1500 p99 1900 max 2000,x
fabric_latency,t3k,op=write;topology=linear;payload_bytes=16,round_trip_avg,1602,ns,min 1 p99 1 max 2,x
END
meshsim validate --reference other.csv --by topology
exits "unknown family" 0
contains "unknown family" "$err" "other.csv:2:1: warning: unknown family 'fabric_latenc', did you mean 'fabric_latency'?"
contains "unknown family" "$(echo "$out" | tr -s ' ')" "fabric_latenc 1 0 -"
contains "rows within the hardware's spread" "$(echo "$out" | grep '^fabric_latency  *2 ')" "1 of 2"
contains "split by a parameter" "$(echo "$out" | tr -s ' ')" "fabric_latency linear 1 1 "
contains "split by a parameter" "$(echo "$out" | tr -s ' ')" "fabric_latency ring 1 1 "
meshsim validate --reference other.csv --by system,topology --json
contains "split by parameters, JSON" "$out" '"family": "fabric_latency", "system": "t3k", "topology": "ring", "n": 1'
meshsim validate --by topologie
exits "unknown key" 2
contains "unknown key" "$err" "--by: no row has a key 'topologie', did you mean 'topology'?"

# step NAME STEP EXPECTED
step() {
	printf 'meshsim: 1\nname: bad\nplatform: n300\nworkload:\n  - %s\n' "$2" >bad.yaml
	meshsim run bad.yaml -o out.h5
	exits "$1" 2
	contains "$1" "$err" "$3"
}

step "pattern" 'fabric_traffic: {pattern: full_rin_multicast}' \
	"'full_rin_multicast', did you mean 'full_ring_multicast'?"
step "no ring" 'fabric_traffic: {pattern: full_ring_multicast}' \
	"bad.yaml:5:31: error: pattern 'full_ring_multicast': 1 x 2 devices form no ring"
step "links" 'fabric_traffic: {pattern: linear_multicast, links: 2}' \
	"error: links: 2, but neighbours of platform 'n300' are joined by 1"
step "warm-up" 'fabric_traffic: {pattern: linear_multicast, packets: 10, warmup: 10}' \
	"error: warmup: 10 leaves nothing of 10 packets"
step "scatter" 'fabric_ping: {op: scatter_write}' \
	"error: op: a ping is answered to 'write' or 'fused_atomic_inc'"
step "too far" 'fabric_ping: {hops: 2}' \
	"error: hops: no way of 2 hops in a mesh of 1 x 2 devices"

finish
