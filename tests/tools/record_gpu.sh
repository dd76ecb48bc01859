#!/bin/bash
# Records the programs tests/data/scripts/corpus/gpu_*.py on a machine with a GPU, under neutral paths, as ../shared/tools/record.sh does
# for the others; needs root, PyTorch for CUDA as python3, and a machine that may be changed.
#
# record_gpu.sh OUTDIR CASE...   OUTDIR gets CASE.tar.gz for each case: its logs, torch_logs.txt, said.txt, status, and profiles.
# On any machine, `tests/tools/record.py --recorded OUTDIR CASE...` then makes tests/data/corpus/CASE of what is unpacked.
set -u
OUT=$1
shift
SCRIPTS=$(cd "$(dirname "$0")/../data/scripts" && pwd)
LIMIT_S=${LIMIT_S:-200}
JOBS=${JOBS:-5}
SITE=$(python3 -c 'import torch, os; print(os.path.dirname(os.path.dirname(torch.__file__)))')
ROOT=$(python3 -c 'import sys; print(sys.base_prefix)')
mkdir -p "$OUT" /usr/lib/python3/site-packages /home/user/src
mount --bind "$SITE" /usr/lib/python3/site-packages || cp -al "$SITE/." /usr/lib/python3/site-packages || exit 1
PYTHON=$ROOT/bin/python3
if [ "$ROOT" != /usr ]; then
    mkdir -p /usr/local/python3
    mount --bind "$ROOT" /usr/local/python3 || cp -a "$ROOT/." /usr/local/python3 || exit 1
    PYTHON=/usr/local/python3/bin/python3
fi
echo "$ROOT $SITE" >"$OUT/machine"
hostname host 2>/dev/null
cp "$SCRIPTS"/corpus/gpu_*.py "$SCRIPTS/profile_out.py" /home/user/src

one() {
    local trace=/home/user/trace/$1 caches=/tmp/$1
    mkdir -p "$trace" "$caches"
    cd /home/user/src || exit 1
    env -i HOME=/home/user USER=user LOGNAME=user PATH=/usr/local/cuda/bin:/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 \
        LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" PYTHONPATH=/usr/lib/python3/site-packages PYTHONDONTWRITEBYTECODE=1 PYTHONNOUSERSITE=1 \
        TORCHINDUCTOR_CACHE_DIR="$caches/torchinductor_user" TRITON_CACHE_DIR="$caches/triton_user" OMP_NUM_THREADS=2 \
        HF_HUB_OFFLINE=1 TORCH_TRACE="$trace" TORCH_LOGS=recompiles,graph_breaks,guards,cudagraphs TORCH_LOGS_OUT="$trace/torch_logs.txt" \
        timeout "$LIMIT_S" "$PYTHON" "$1.py" >"$trace/said.txt" 2>&1 </dev/null
    echo $? >"$trace/status"
    tar -C /home/user/trace -czf "$OUT/$1.tar.gz" "$1"
    echo "$1: exit status $(cat "$trace/status"), $(find "$trace" -name '*.log' | wc -l) logs, $(stat -c %s "$OUT/$1.tar.gz") bytes"
}
export -f one
export OUT LIMIT_S PYTHON
printf '%s\n' "$@" | xargs -P "$JOBS" -I{} bash -c 'one {}'
