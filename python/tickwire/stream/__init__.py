"""Streams: WebSocket connections that reconnect and resume by themselves."""
