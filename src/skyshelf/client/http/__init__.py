"""A small HTTP/1.1 client on asyncio, for one server and many requests.

It stands alone: of the client it imports only `errors` and `hosts`, and the rest of the client sees nothing of it but
`messages` (requests and responses) and `transport` (the seam). From the outside in:

- `transport`: `Transport` is the protocol that the client calls: `send` for whole responses, `stream` for large ones.
  `HttpTransport` is the implementation. Anything with the same methods can take its place:
  `AsyncClient(transport=...)` accepts a recording, a fake or another HTTP library. A `Pool` has the connections of an
  event loop: an idle one is reused; a limit bounds how many are in use at once.
- `connector`: finds the route to an origin (address, TLS, proxy) and opens connections. Plain HTTP is refused
  except to this machine, and certificates are always verified.
- `connection`: one socket, one request at a time. It stops reading while the body is not taken, and times out a
  server that neither sends nor receives.
- `response`: parses the bytes of one response, without I/O. httptools reads the head and chunked bodies; a body of
  known length is received straight into the buffers that callers get.
- `faults`: what can go wrong, and the sentence and error class for each.
- `process_end`: no thread is inside OpenSSL when the process ends, and a forked child starts without connections.

Nothing here retries, follows redirects or knows the API: that is the engine's job. There are no threads either,
so everything a transport does ends with its event loop.
"""
