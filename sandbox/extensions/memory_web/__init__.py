"""The memory over HTTP, for programs: a REST interface whose OpenAPI document is true.

``create_app(memory)`` is an ASGI application; `memory serve` puts it on a port.
"""
