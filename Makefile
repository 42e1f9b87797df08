# make demo   set up this machine and run a session     make test   set up and run the tests
# make soak   the long tests      make bench  the measurements      make shots  the pictures of the docs
# make docs   the documentation as a site, in build/site; it names pictures that are older than their windows
# make cas-wheel  the Comparator alone, as dist/curtain_cas-*.whl
# make bundle  Curtain as a program that needs no Python, as a folder, a tar and a .deb below dist
PY := .venv/bin/python
# Whatever the shell says: each of some hundred stations that the tests start would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test soak bench shots docs lint bundle cas-wheel packages clean
.DEFAULT_GOAL := demo

demo: packages .venv/ready
	@.venv/bin/curtain demo $(ARGS)

test: packages .venv/ready .venv/ear
	@tools/prepare.sh browser chromium
	@QT_QPA_PLATFORM=offscreen $(PY) -m pytest -m "not soak" -n 3 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 $(ARGS)

# A served model, and the frameworks that run our metric: only for the long tests.
soak: packages .venv/ready .venv/ear
	@tools/prepare.sh model
	@tools/prepare.sh hosts
	@tools/prepare.sh browser chromium
	@tools/prepare.sh browser firefox-esr
	@QT_QPA_PLATFORM=offscreen $(PY) -m pytest -m soak $(ARGS)

bench: packages .venv/ready .venv/ear
	@for script in bench/*.py; do echo "== $$script"; $(PY) $$script || exit 1; done

shots: packages .venv/ready
	@$(PY) docs/shots.py
	@$(PY) docs/room_shots.py
	@$(PY) docs/page_shots.py
	@$(PY) docs/widget_shots.py
	@$(PY) docs/subject_shots.py
	@$(PY) docs/judging_shots.py

docs: packages .venv/ready
	@tools/prepare.sh docs
	@$(PY) docs/picture_age.py
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build -q --strict

lint: .venv/ready
	@.venv/bin/ruff check . && .venv/bin/mypy

bundle: packages .venv/ready
	@tools/bundle/build.sh

cas-wheel: .venv/ready
	@$(PY) -m build --wheel --no-isolation --outdir dist tools/curtain-cas

packages:
	@tools/prepare.sh packages

.venv/ready: uv.lock pyproject.toml tools/prepare.sh tools/uv.txt
	@echo "Setting up .venv (about half a minute, once)"
	@tools/prepare.sh venv

# The recogniser with a model, and the model of meaning: 190 MB that the demo does not wait for.
.venv/ear: .venv/ready
	@tools/prepare.sh ear

clean:
	rm -rf .venv dist build out
