"""
A control board in Python: reports, takes its configuration, installs its firmware, changes its key.

    python3 board.py --server https://console.example --uid 001A2B3C4D5E --folder /var/lib/board

The folder holds the file `key`, made in the console, and all that survives a restart. Where this writes to the log, a real
board acts: it measures, writes to its flash, restarts.
"""

import argparse
import json
import os
import time

import frame
import settings
from folder import lock, rotation_path
from keys import Keys, write
from line import Line
from update import Canceled, Failed, Update

MOST_FRAMES = 5000
MOST_BYTES = 1024 * 1024


def log(text):
    print(text, flush=True)


class Board:
    def __init__(self, given):
        self.folder, self.uid, self.hardware = given.folder, given.uid, given.hardware
        self.memory_path = os.path.join(given.folder, "memory.json")
        self.memory = self.remembered(given)
        self.line = Line(given.server, Keys(os.path.join(given.folder, "key")), given.first_wait)
        self.every_s = given.every
        self.booted = time.monotonic()
        self.offset_s = 0.0
        self.backlog_path = os.path.join(given.folder, "backlog.bin")
        self.backlog = self.kept_frames()
        self.tag = None
        self.is_installing = False
        self.next_try = 0.0
        self.most_frames = MOST_FRAMES
        self.reported = None

    def remembered(self, given):
        if os.path.exists(self.memory_path):
            with open(self.memory_path, encoding="utf-8") as file:
                return json.load(file)
        return {"seq": 0, "version": given.firmware, "previous": None, "reboots": 0, "reason": "POWER_ON",
                "configuration": {}, "configVersion": 0}

    def keep(self):
        write(self.memory_path, json.dumps(self.memory))

    def kept_frames(self):
        if not os.path.exists(self.backlog_path):
            return []
        with open(self.backlog_path, "rb") as file:
            return frame.split(file.read())

    # Frames

    def clock(self):
        """The time of the server, as far as this board knows it."""
        return time.time() + self.offset_s

    def say(self, kind, **values):
        self.memory["seq"] = (self.memory["seq"] + 1) & 0xFFFF
        status = {"firmwareVersion": self.memory["version"], "transport": "ETH", "resetReason": self.memory["reason"],
                  "rebootCount": self.memory["reboots"], "uptimeS": int(time.monotonic() - self.booted), "supplyMv": 12000,
                  "boardTempC": 31.5, "freeHeapB": 120000}
        made = frame.encode(kind, self.memory["seq"], self.uid, self.clock(), {**status, **values})
        self.backlog.append(made)
        with open(self.backlog_path, "ab") as file:
            file.write(made)
        self.keep()

    def measure(self):
        """A quiet battery of 16 LFP cells."""
        self.say("TELEMETRY", socPct=62.5, sohPct=98.1, batteryPowerW=524, batteryVoltageV=52.4, batteryCurrentA=10.0,
                 energyAvailableWh=6300, cellVoltageMinMv=3270, cellVoltageAvgMv=3275, cellVoltageMaxMv=3280,
                 cellVoltageMinPos=(1, 3), cellVoltageMaxPos=(1, 9), cellTempMinC=21.0, cellTempAvgC=22.0, cellTempMaxC=23.0,
                 chargeCurrentLimitA=100, dischargeCurrentLimitA=100, pvPowerW=0, loadPowerW=700, gridPowerW=176,
                 gridVoltageL1V=230.4, gridFrequencyHz=50.0, chargeEnergyWh=5000000, dischargeEnergyWh=4500000, pvEnergyWh=0,
                 loadEnergyWh=9000000, gridImportEnergyWh=4600000, gridExportEnergyWh=0, cycleCount=431.25,
                 chargeState="DISCHARGING", bankState="CONNECTED", gridMode="ON_GRID", eventFlags=0)

    def send(self):
        """Sends what has piled up, the oldest first. What the server does not take now is kept and sent again as it is."""
        while self.backlog:
            count, size = 0, 0
            while count < min(self.most_frames, len(self.backlog)) and size + len(self.backlog[count]) <= MOST_BYTES:
                size += len(self.backlog[count])
                count += 1
            sent_at = str(int(self.clock() * 1000))
            headers = {"Content-Type": "application/octet-stream", "X-Sent-At": sent_at}
            answer = self.line.call("POST", "frames", b"".join(self.backlog[:count]), headers)
            if answer.is_too_much and count > 1:
                self.most_frames = count // 2
                if answer.status == 413:
                    continue
            if answer.is_to_be_repeated:
                return self.wait(answer)
            if not answer.is_taken:
                # Kept for the service; the same bytes would be refused again.
                with open(os.path.join(self.folder, "refused.bin"), "ab") as file:
                    file.write(b"".join(self.backlog[:count]))
                log("refused: %d %s" % (answer.status, answer.code))
            del self.backlog[:count]
            with open(self.backlog_path, "wb") as file:
                file.write(b"".join(self.backlog))
            self.line.went_well()
            self.most_frames = min(MOST_FRAMES, 2 * self.most_frames)
            if answer.is_taken:
                self.heard(answer.json())
            # What was heard may have made calls of its own, and been told to wait.
            if time.monotonic() < self.next_try:
                return None
        return None

    def wait(self, answer):
        seconds = self.line.wait_after(answer)
        self.next_try = time.monotonic() + seconds
        log("no luck (%d), again in %.1f s" % (answer.status, seconds))

    def heard(self, answer):
        self.offset_s = answer["time"] / 1000 - time.time()
        for one in answer["refused"]:
            log("frame %(index)d was refused: %(reason)s" % one)
        if answer["news"]:
            self.look()

    # Orders of the server

    def look(self):
        answer = self.line.call("GET", "state", headers={"If-None-Match": self.tag} if self.tag else {})
        if answer.status != 200:
            return
        self.tag = answer.headers["ETag"]
        state = answer.json()
        if state["configuration"]:
            self.apply(**state["configuration"])
        if state["update"] and self.is_installing:
            # A report in the middle of a download brought the news: asked for again when the download has ended.
            self.tag = None
        elif state["update"]:
            self.is_installing = True
            self.install(state["update"])
            self.is_installing = False

    def apply(self, version, desired):
        reason = next(filter(None, (settings.fault_of(name, value) for name, value in desired.items())), None)
        if reason:
            body = {"version": version, "result": "REJECTED", "reason": reason}
        else:
            self.memory.update(configuration=desired, configVersion=version)
            self.keep()
            body = {"version": version, "result": "APPLIED", "reported": desired}
        answer = self.line.call("POST", "configuration", body)
        # Asked for again, it is answered again: that has no other effect.
        self.tag = self.tag if answer.is_taken else None
        log("configuration %d: %s %s" % (version, body["result"], reason or ""))

    def install(self, offer):
        update = Update(self.line, self.folder, offer, self.hardware)
        # The server knows how it goes on: it is asked again with the next report.
        self.tag = None
        try:
            if offer["state"] == "CANCELING":
                update.report("CANCELED")
                update.forget()
            elif offer["state"] in ("QUEUED", "DOWNLOADING", "VERIFYING"):
                if not update.load_more(self.report_when_due):
                    log("%d of %d bytes" % (update.loaded(), offer["sizeB"]))
                    return
                update.verify()
                # The server must know of it before the board is away: a report that is lost is made again with the next look.
                if all(update.report(state).is_taken for state in ("INSTALLING", "REBOOTING")):
                    self.started(update)
            elif offer["state"] in ("INSTALLING", "REBOOTING"):
                self.started(update)
        except Failed as failure:
            self.failed(update, str(failure))
        except Canceled:
            update.forget()
            log("the update is canceled")

    @staticmethod
    def failed(update, code):
        if update.line.call("POST", "updates/" + update.offer["id"], {"state": "FAILED", "failure": code}).is_taken:
            update.forget()
        log("update failed: %s" % code)

    def started(self, update):
        update.forget()
        self.restart(update.offer["version"])

    def restart(self, version):
        memory = self.memory
        memory.update(previous=memory["version"], version=version, reboots=memory["reboots"] + 1, reason="FW_UPDATE")
        self.booted = time.monotonic()
        self.say("BOOT", bootloaderVersion="1.2.0", previousVersion=memory["previous"], hardwareRevision=self.hardware, product="ESS-PCB")
        log("started with %s" % version)

    # Day in, day out

    def report_when_due(self):
        now = time.monotonic()
        if now < self.next_report():
            return
        self.reported = now
        self.measure()
        if now >= self.next_try:
            self.send()

    def next_report(self):
        """The interval may have changed since the last report."""
        return 0.0 if self.reported is None else self.reported + self.interval_s()

    def rotate(self):
        answer = self.line.keys.rotate(self.line)
        log("new key" if answer.status == 201 else "no new key: %d %s" % (answer.status, answer.code))
        return answer

    def rotate_when_asked(self):
        if not os.path.exists(rotation_path(self.folder)) or time.monotonic() < self.next_try:
            return
        answer = self.rotate()
        if answer.is_to_be_repeated:
            self.wait(answer)
        else:
            os.remove(rotation_path(self.folder))

    def interval_s(self):
        return self.every_s or self.memory["configuration"].get("reportIntervalS") or 60

    def run(self):
        if not self.memory["seq"]:
            self.say("BOOT", bootloaderVersion="1.2.0", previousVersion=None, hardwareRevision=self.hardware, product="ESS-PCB")
        while True:
            self.rotate_when_asked()
            self.report_when_due()
            time.sleep(max(0.0, min(1.0, self.next_report() - time.monotonic())))


def main():
    parser = argparse.ArgumentParser(description="A control board in Python")
    parser.add_argument("--server", required=True, help="address of the console")
    parser.add_argument("--uid", required=True, help="12 hex digits, as the board is registered")
    parser.add_argument("--folder", required=True, help="holds the file key and what the board remembers")
    parser.add_argument("--hardware", default="B1", help="hardware revision")
    parser.add_argument("--firmware", default="2.1.3", help="version that it begins with")
    parser.add_argument("--every", type=float, help="seconds between reports in place of the configured ones")
    parser.add_argument("--first-wait", type=float, default=5, help="seconds before the first repetition")
    parser.add_argument("--rotate", action="store_true", help="ask for a new key; without a running board also report once with it")
    given = parser.parse_args()
    if not lock(given.folder):
        if not given.rotate:
            raise SystemExit("another process runs with this folder: stop it first")
        with open(rotation_path(given.folder), "w", encoding="ascii"):
            log("the running board was asked to change its key")
        return
    board = Board(given)
    if given.rotate:
        board.rotate()
        board.measure()
        board.send()
    else:
        board.run()


if __name__ == "__main__":
    main()
