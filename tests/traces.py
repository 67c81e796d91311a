#!/usr/bin/env python3
"""A collector for tests: takes OTLP over HTTP, decoded with the messages that OpenTelemetry publishes, and writes each span as a JSON line.

python3 tests/traces.py FILE      the first line on standard output is its address
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse

OUT = open(sys.argv[1], "a", encoding="utf-8", buffering=1)


def attributes(of) -> dict:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in of}


class Collector(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf", self.path
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                line = {"name": span.name, "kind": span.kind, "trace": span.trace_id.hex(), "span": span.span_id.hex(),
                        "parent": span.parent_span_id.hex(), "nanos": span.end_time_unix_nano - span.start_time_unix_nano,
                        "status": span.status.code, "events": len(span.events), "attributes": attributes(span.attributes),
                        "resource": attributes(resource.resource.attributes)}
                OUT.write(json.dumps(line) + "\n")
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_) -> None:
        pass


server = HTTPServer(("127.0.0.1", 0), Collector)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
