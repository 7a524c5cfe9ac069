"""The memory over HTTP, for programs: a REST interface with a correct OpenAPI document.

``create_app(memory)`` is an ASGI application; `memory serve` puts it on a port.
"""
