#!/bin/sh
# Installs what is missing, builds meshsim, runs the main scenario, prints its table and the path of
# the result file. Options go to `meshsim run`: sh bench/run.sh --set model.noise=off
set -eu
cd "$(dirname "$0")/.."
. bench/setup.sh

build_packages
build meshsim meshsim_printed
mkdir -p results
exec build/meshsim run scenarios/tgg-broadcast-grid.yaml -o results "$@"
