"""The server's counters for Prometheus. Paths are counted by their pattern, because names and ids are content."""

import time
from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.extensions.memory.reports import Statistics

ELSEWHERE = "other"
"""The path of a request that no operation has."""


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        by = ("method", "route")
        self._requests = Counter("memory_http_requests", "Requests answered.", (*by, "status"), registry=self._registry)
        self._seconds = Histogram(
            "memory_http_request_seconds", "Seconds until a request was answered.", by, registry=self._registry
        )
        self._nodes = self._gauge("memory_nodes", "Memories that are believed.", ("type",))
        self._held = {
            name: self._gauge(f"memory_{name}", about)
            for name, about in {
                "entities": "People, projects, places and things.",
                "sessions": "Conversations.",
                "sessions_pending": "Conversations something can be learnt from.",
                "vectors": "Memories with a vector.",
                "embedding_backlog": "Memories that wait for their vector.",
                "database_bytes": "Size of the file.",
            }.items()
        }

    def _gauge(self, name: str, about: str, labels: tuple[str, ...] = ()) -> Gauge:
        return Gauge(name, about, labels, registry=self._registry)

    def measured(self, app: ASGIApp) -> ASGIApp:
        """The application with its requests counted."""

        async def measure(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            started, status = time.perf_counter(), 500

            async def watch(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            try:
                await app(scope, receive, watch)
            finally:
                route = getattr(scope.get("route"), "path_format", ELSEWHERE)
                method = scope["method"] if route != ELSEWHERE else ELSEWHERE
                self._requests.labels(method, route, str(status)).inc()
                self._seconds.labels(method, route).observe(time.perf_counter() - started)

        return measure

    def answer(self, held: Statistics) -> Response:
        """All counters, with the counts of the memory."""
        nodes: Mapping[str, int] = held.nodes
        self._nodes.clear()  # of types of which none is left
        for type_, count in nodes.items():
            self._nodes.labels(type_).set(count)
        for name, gauge in self._held.items():
            gauge.set(getattr(held, name))
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
