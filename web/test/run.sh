#!/usr/bin/env bash
# Tries what web/dist has: the playground in headless Chromium, what the worker renders, and
# the engine's own tests as WebAssembly. TREES=FOLDER renders another folder of kustomizations.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
if ! command -v "${CHROMIUM:-/usr/bin/chromium}" >/dev/null; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
fi
node test/browser.mjs
node test/render.mjs "${TREES:-../examples}"
# Tests that start programs or need links of the disk are left out: there is neither here.
GOOS=js GOARCH=wasm $GO test -exec "$($GO env GOROOT)/lib/wasm/go_js_wasm_exec" \
  ../engine/text ../engine/syntax ../engine/fieldpath ../engine/textmerge ../engine/patch ../engine/resource
