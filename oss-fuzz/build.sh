#!/bin/bash -eu
# Builds the fuzz targets for OSS-Fuzz, which sets SRC, OUT, WORK, CC, CFLAGS and LIB_FUZZING_ENGINE. The programs look for their shared
# libraries in lib/ beside them, because the machine that runs them has none. doc/releasing.md says how to submit this folder.
cd "$SRC/tlparse"
build=$WORK/build
# shellcheck disable=SC2016 # the loader replaces $ORIGIN, not the shell
export LDFLAGS='-Wl,-rpath,$ORIGIN/lib'
# OSS-Fuzz's flags have the sanitizer, so meson adds none.
meson setup "$build" -Dfuzz_engine="$LIB_FUZZING_ENGINE" -Db_lundef=false -Dbuildtype=plain -Dweb=prebuilt

mkdir -p "$OUT/lib"
rm -rf "$WORK/corpus"
python3 -m zipfile -e tests/fuzz/corpus.zip "$WORK/corpus"
mapfile -t names < <(basename -a -s .c tests/fuzz/fuzz_*.c)
ninja -C "$build" "${names[@]/#/tests/fuzz/}"
for name in "${names[@]}"; do
    cp "$build/tests/fuzz/$name" "$OUT/"
    ldd "$build/tests/fuzz/$name" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | grep -v -E '/lib(c|m|pthread|dl|rt)\.so|/ld-linux' |
        xargs cp -t "$OUT/lib"
    cp tests/fuzz/envelope.dict "$OUT/$name.dict"
    zip -q -j "$OUT/${name}_seed_corpus.zip" "$WORK/corpus/${name#fuzz_}"/*
done
