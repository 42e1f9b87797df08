"""Packs made from databases and from files, and looked over."""
