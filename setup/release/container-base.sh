#!/bin/sh
# container-base.sh FOLDER NODE NPM: makes in FOLDER what the Dockerfile starts from, as system.tar with a Dockerfile, of Debian's packages,
# the program NODE and the package of npm in NPM, where no registry of images can be reached. Needs root and debootstrap.
set -eu
system=$1/system mirror=http://deb.debian.org
debootstrap --variant=minbase --include=ca-certificates bookworm "$system" "$mirror/debian"
for source in 'debian bookworm' 'debian bookworm-updates' 'debian-security bookworm-security'; do
  echo "deb $mirror/$source main"
done > "$system/etc/apt/sources.list"
rm -rf "$system"/var/cache/apt "$system"/var/lib/apt/lists "$system"/usr/share/doc "$system"/usr/share/man "$system"/usr/share/locale
local=$system/usr/local
mkdir -p "$local/lib/node_modules" "$local/etc"
cp "$2" "$local/bin/node"
cp -R "$3" "$local/lib/node_modules/npm"
for command in npm npx; do ln -s "../lib/node_modules/npm/bin/$command-cli.js" "$local/bin/$command"; done
# The registry of packages may be behind an authority of this machine.
if [ -n "${SSL_CERT_FILE:-}" ]; then
  cp "$SSL_CERT_FILE" "$system/etc/ssl/certs/ca-certificates.crt"
  echo cafile=/etc/ssl/certs/ca-certificates.crt > "$local/etc/npmrc"
fi
chroot "$system" useradd --uid 1000 --create-home node
tar -C "$system" -cf "$1/system.tar" .
rm -rf "$system"
printf 'FROM scratch\nADD system.tar /\nCMD ["node"]\n' > "$1/Dockerfile"
