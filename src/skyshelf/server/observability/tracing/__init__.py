"""Traces of requests and jobs for OpenTelemetry; its packages are loaded only where tracing is on."""
