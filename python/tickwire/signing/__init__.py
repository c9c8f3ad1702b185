"""Canonical JSON, Ed25519 and the signatures of publishers."""
