"""Loads an image with resume, checks it, and says how it goes."""

import hashlib
import http.client
import os
import struct
import time
import zlib

HEADER_BYTES = 30
# What this board is sold as, by its code in the header of an image: 0 is ESS-PCB.
PRODUCT = 0
PIECE_BYTES = 16 * 1024
# Seconds between two reports of how far a download is.
PROGRESS_S = 5
REVISIONS = [letter + digit for letter in "ABCD" for digit in "12345678"]


class Canceled(Exception):
    """The server does not want the update any more."""


class Failed(Exception):
    """The update can not go on; the message is the code of the failure."""


def fault_of(image, offer, hardware):
    """The code of what is wrong with an image; None when it may be installed."""
    if len(image) != offer["sizeB"] or hashlib.sha256(image).hexdigest() != offer["sha256"]:
        return "CHECKSUM"
    if len(image) < HEADER_BYTES or image[:4] != b"ESFW" or image[4] != 1 or image[5] != PRODUCT:
        return "INCOMPATIBLE"
    mask, length, crc = struct.unpack(">I", image[12:16])[0], *struct.unpack(">II", image[22:30])
    if length != len(image) - HEADER_BYTES or zlib.crc32(image[HEADER_BYTES:], zlib.crc32(image[:26])) != crc:
        return "CHECKSUM"
    return None if mask >> REVISIONS.index(hardware) & 1 else "INCOMPATIBLE"


class Update:
    """One offer. The part that is there survives a restart, in a file named by the hash of the image."""

    def __init__(self, line, folder, offer, hardware):
        self.line = line
        self.offer = offer
        self.hardware = hardware
        self.path = os.path.join(folder, offer["sha256"] + ".part")

    def report(self, state, **more):
        answer = self.line.call("POST", "updates/" + self.offer["id"], {"state": state, "version": self.offer["version"], **more})
        if answer.status == 409 and answer.code == "update.state":
            raise Canceled
        return answer

    def loaded(self):
        return os.path.getsize(self.path) if os.path.exists(self.path) else 0

    def report_progress(self):
        at = self.loaded()
        self.report("DOWNLOADING", progressPct=int(100 * at / self.offer["sizeB"]), receivedB=at)
        return at

    def load_more(self, between_pieces):
        """Loads from where the line was cut. Returns whether all of it is there. The board goes on reporting between two pieces."""
        at, size = self.loaded(), self.offer["sizeB"]
        if at >= size:
            return True
        headers = {"Range": "bytes=%d-" % at, "If-Range": '"%s"' % self.offer["sha256"]} if at else {}
        try:
            connection, response = self.line.open("GET", "firmware/" + self.offer["id"], headers=headers)
            if response.status in (404, 410):
                raise Canceled
            if response.status == 409:
                raise Failed("CHECKSUM")
            if response.status not in (200, 206):
                return False
            with open(self.path, "ab" if response.status == 206 else "wb", buffering=0) as file:
                reported = time.monotonic()
                while piece := response.read1(PIECE_BYTES):
                    file.write(piece)
                    between_pieces()
                    if time.monotonic() >= reported + PROGRESS_S:
                        self.report_progress()
                        reported = time.monotonic()
            connection.close()
        except (OSError, http.client.HTTPException):
            pass
        return self.report_progress() >= size

    def verify(self):
        self.report("VERIFYING")
        with open(self.path, "rb") as file:
            fault = fault_of(file.read(), self.offer, self.hardware)
        if fault:
            raise Failed(fault)

    def forget(self):
        if os.path.exists(self.path):
            os.remove(self.path)
