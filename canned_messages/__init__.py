"""Canned message sets, as TOML files beside this one."""
