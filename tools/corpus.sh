#!/bin/sh
# Runs PyTorch's own tests of torch.compile and torch.export under TORCH_TRACE, and checks what tlparse makes of their logs. Needs the
# network once, for the source of the tests, and hours: `./dev test` does not run it. doc/reliability.md has the result.
#
#   tools/corpus.sh PYTHON FOLDER [TEST.py...]
#
# PYTHON has PyTorch and expecttest. FOLDER gets the source, a folder of logs per test file and results.txt. TESTs are test files below
# test/, such as dynamo/test_misc.py; without any, all of dynamo, inductor and export. A file whose logs exist is not run again.
# TLPARSE names the program, CORPUS_LIMIT the seconds for one test file (default: 600), CORPUS_SANITIZED a build with sanitizers that
# reads each log, too.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
python=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
source=$folder/pytorch-v2.6.0
if [ ! -e "$source/test" ]; then
    archive=$folder/source.tar.xz
    mirror=$(python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import libraries; print(libraries.mirror())' "$top/packaging")
    curl -fsSL --retry 3 -o "$archive" "$mirror/pool/main/p/pytorch/pytorch_2.6.0+dfsg.orig.tar.xz"
    echo "099a9601bc40d67656e75735c44abedb0fbe92d08817852ab7472eebb7e6ddff  $archive" | sha256sum -c -
    tar -C "$folder" -xf "$archive" pytorch-v2.6.0/test
    rm "$archive"
fi
cd "$source/test"
[ $# -gt 0 ] || set -- dynamo/test_*.py inductor/test_*.py export/test_*.py
for test in "$@"; do
    logs=$folder/logs/$(echo "${test%.py}" | tr / _)
    [ ! -e "$logs" ] || continue
    mkdir -p "$logs/runs"
    # Each test method in a process of its own has a log of its own.
    (cd "$(dirname "$test")" && TORCH_TRACE="$logs/runs" CORPUS_LIMIT="${CORPUS_LIMIT:-600}" TORCHINDUCTOR_COMPILE_THREADS=1 TORCHINDUCTOR_VEC_ISA_OK=1 OMP_NUM_THREADS=1 \
        nice "$python" "$top/tools/corpus_tests.py" "$(basename "$test")" >"$logs/said.txt" 2>&1) || true
    echo "$test: $(find "$logs/runs" -name '*.log' -size +0 | wc -l) logs"
done
# The Python of the tests has the validator of JSON schemas.
exec "$top/.cache/python/bin/python3" "$top/tools/corpus_checks.py" "$folder/logs" "${TLPARSE:-$top/build/tlparse}" \
    ${CORPUS_SANITIZED:+--sanitized "$CORPUS_SANITIZED"}
