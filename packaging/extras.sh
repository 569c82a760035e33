#!/bin/sh
# Writes the manual pages and the shell completions that packages carry into a folder: extras.sh FOLDER
set -eu
out=${1:?usage: extras.sh FOLDER}
mkdir -p "$out/completions"
go run -tags man ./cmd/kls man "$out/man"
gzip -n -9 -f "$out"/man/*.1
for shell in bash zsh fish powershell; do
  go run ./cmd/kls completion "$shell" >"$out/completions/kls.$shell"
done
