#!/bin/sh
# Write ctrlgraph/playback/static/three.min.js: the parts of three.js that pages in space use, as one module without imports.
# It needs npm and network access. The versions are fixed, so that the same file results. modules.txt lists the sources.
set -eu
three=0.187.0
esbuild=0.28.2
here=$(cd "$(dirname "$0")" && pwd)
static=$here/../../ctrlgraph/playback/static
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp "$here/entry.js" "$build/entry.js"
cd "$build"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "three@$three" "esbuild@$esbuild"
node_modules/.bin/esbuild entry.js --bundle --minify --format=iife --global-name=THREE --legal-comments=none \
  --target=chrome111,firefox113,safari16.4 --metafile=meta.json --log-level=warning --outfile=bundle.js
{
  printf '/*! three.js %s (https://threejs.org)\n\n' "$three"
  cat node_modules/three/LICENSE
  printf '*/\n'
  sed '1s/^\(var\|"use strict";var\) THREE=/export const THREE=/' bundle.js
} >"$static/three.min.js"
cp node_modules/three/LICENSE "$static/three.LICENSE.txt"
node -e '
  const { inputs } = Object.values(JSON.parse(require("fs").readFileSync("meta.json", "utf8")).outputs)[0];
  console.log(Object.keys(inputs).filter((name) => name.startsWith("node_modules") && inputs[name].bytesInOutput).sort().join("\n").replaceAll("node_modules/", ""));
' >"$here/modules.txt"
