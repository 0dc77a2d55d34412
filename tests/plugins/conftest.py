"""Plugins here are installed by `tests/tools/test_registry.py`, which runs their own tests on the installed code."""

collect_ignore_glob = ["word_count/*"]
