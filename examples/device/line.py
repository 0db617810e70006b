"""The line of a board to the server: the calls of /api/device/v1 by its key, and how long to wait after a refusal."""

import http.client
import json
import random
import urllib.parse

TIMEOUT_S = 60
# A slow line carries each piece in time, where the whole would take minutes.
PIECE_BYTES = 4096
LONGEST_S = 600
HOUR_S = 3600


def pieces_of(body):
    return (body[at:at + PIECE_BYTES] for at in range(0, len(body), PIECE_BYTES))


class Answer:
    def __init__(self, status, headers=None, body=b""):
        self.status = status
        self.headers = headers or {}
        self.body = body

    def json(self):
        return json.loads(self.body) if self.body else {}

    @property
    def code(self):
        try:
            return self.json().get("code")
        except ValueError:
            return None

    @property
    def is_taken(self):
        return 200 <= self.status < 300

    @property
    def is_too_much(self):
        """The batch is too large, or may be more than the line carries in time: then there is no answer, or 408."""
        return self.status in (0, 408, 413)

    @property
    def is_to_be_repeated(self):
        """No answer, or one that says: later."""
        return self.status == 0 or self.status in (408, 425, 429) or self.status >= 500 or self.code == "device-key.unknown"


class Line:
    def __init__(self, server, keys, first_wait_s=5):
        url = urllib.parse.urlsplit(server)
        self.make = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        self.host = url.netloc
        self.keys = keys
        self.first_wait_s = first_wait_s
        self.failures = 0

    def open(self, method, path, body=None, headers=None):
        """A connection whose answer is not read yet."""
        connection = self.make(self.host, timeout=TIMEOUT_S)
        headers = {"X-Device-Key": self.keys.present(), **(headers or {})}
        if body:
            headers["Content-Length"] = str(len(body))
            body = pieces_of(body)
        connection.request(method, "/api/device/v1/" + path, body, headers)
        return connection, connection.getresponse()

    def call(self, method, path, body=None, headers=None):
        """One exchange; status 0 without an answer."""
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            headers = {"Content-Type": "application/json", **(headers or {})}
        try:
            connection, response = self.open(method, path, body, headers)
            answer = Answer(response.status, response.headers, response.read())
            connection.close()
        except (OSError, http.client.HTTPException):
            return Answer(0)
        if self.keys.judge(answer):
            return self.call(method, path, body, headers)
        return answer

    def wait_after(self, answer):
        """Seconds until the same may be sent again: as the server says, else 5, 10, 20 to 600 with jitter."""
        if answer.code == "device-key.unknown":
            return HOUR_S
        self.failures += 1
        asked = answer.headers.get("Retry-After") if answer.status else None
        if asked and asked.isdigit():
            return int(asked)
        longest = min(LONGEST_S, self.first_wait_s * 2 ** (self.failures - 1))
        return longest * random.uniform(0.75, 1.25)

    def went_well(self):
        self.failures = 0
