"""Frames of version 1, as docs/device-protocol.md describes them. Python 3 and its standard library."""

import struct

MAGIC = b"\xe5\x5a"
VERSION = 1
TYPES = {"TELEMETRY": 1, "HEARTBEAT": 2, "EVENT": 3, "CONFIG_ACK": 4, "FW_PROGRESS": 5, "BOOT": 6}
CODES = {
    "transport": ["LTE", "WIFI", "ETH"],
    "resetReason": ["POWER_ON", "BROWNOUT", "WATCHDOG", "SOFTWARE", "FW_UPDATE"],
    "chargeState": ["OFF", "EMPTY", "DISCHARGING", "CHARGING", "FULL", "HOLDING", "TESTING"],
    "bankState": ["DISCONNECTED", "INITIALIZING", "CONNECTED", "STANDBY", "SOC_PROTECTION", "SUSPENDING", "FAULT"],
    "gridMode": ["ON_GRID", "OFF_GRID"],
    "product": ["ESS-PCB", "ESS-LINK"],
}
# Name, kind, decimal digits that the integer carries.
STATUS = [
    ("firmwareVersion", "version", 0), ("transport", "code", 0), ("resetReason", "code", 0), ("rebootCount", "u16", 0),
    ("uptimeS", "u32", 0), ("rssiDbm", "i16", 0), ("supplyMv", "u16", 0), ("boardTempC", "i16", 1), ("freeHeapB", "u32", 0),
]
SAMPLE = [
    ("socPct", "u16", 1), ("sohPct", "u16", 1), ("batteryPowerW", "i32", 0), ("batteryVoltageV", "u32", 2),
    ("batteryCurrentA", "i32", 2), ("energyAvailableWh", "u32", 0), ("cellVoltageMinMv", "u16", 0),
    ("cellVoltageAvgMv", "u16", 0), ("cellVoltageMaxMv", "u16", 0), ("cellVoltageMinPos", "place", 0),
    ("cellVoltageMaxPos", "place", 0), ("cellTempMinC", "i16", 1), ("cellTempAvgC", "i16", 1), ("cellTempMaxC", "i16", 1),
    ("mosfetTempC", "i16", 1), ("ambientTempC", "i16", 1), ("chargeCurrentLimitA", "u16", 1),
    ("dischargeCurrentLimitA", "u16", 1), ("pvPowerW", "i32", 0), ("loadPowerW", "i32", 0), ("gridPowerW", "i32", 0),
    ("gridVoltageL1V", "u16", 1), ("gridVoltageL2V", "u16", 1), ("gridVoltageL3V", "u16", 1), ("gridFrequencyHz", "u16", 2),
    ("chargeEnergyWh", "u64", 0), ("dischargeEnergyWh", "u64", 0), ("pvEnergyWh", "u64", 0), ("loadEnergyWh", "u64", 0),
    ("gridImportEnergyWh", "u64", 0), ("gridExportEnergyWh", "u64", 0), ("cycleCount", "u32", 2), ("chargeState", "code", 0),
    ("bankState", "code", 0), ("gridMode", "code", 0), ("eventFlags", "u32", 0),
]
START = [
    ("bootloaderVersion", "version", 0), ("previousVersion", "version", 0), ("hardwareRevision", "letters", 0),
    ("product", "code", 0),
]
LAYOUTS = {"TELEMETRY": STATUS + SAMPLE, "HEARTBEAT": STATUS, "BOOT": STATUS + START}
INTEGERS = {"u8": ">B", "u16": ">H", "u32": ">I", "u64": ">Q", "i16": ">h", "i32": ">i"}
# A value that was not measured is sent as the greatest unsigned or the lowest signed number.
MISSING = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF, "u64": 2**64 - 1, "i16": -0x8000, "i32": -0x80000000}


def split(data):
    """Frames that stand back to back, as this board has made them."""
    frames = []
    while data:
        end = 20 + struct.unpack(">H", data[16:18])[0]
        frames.append(data[:end])
        data = data[end:]
    return frames


def crc16(data):
    """CRC-16/CCITT-FALSE."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def field(name, kind, digits, value):
    if kind in INTEGERS:
        return struct.pack(INTEGERS[kind], MISSING[kind] if value is None else round(value * 10**digits))
    if kind == "code":
        return bytes([0xFF if value is None else CODES[name].index(value)])
    if kind == "version":
        return b"\xff" * 6 if value is None else struct.pack(">HHH", *(int(part) for part in value.split(".")))
    if kind == "letters":
        return b"\xff\xff" if value is None else value.encode("ascii")
    # A place: module and cell, counted from 1.
    return b"\xff\xff" if value is None else bytes(value)


def encode(kind, seq, uid, time_s, values):
    """The bytes of one frame; `uid` has 12 hex digits."""
    payload = b"".join(field(name, wire, digits, values.get(name)) for name, wire, digits in LAYOUTS[kind])
    head = MAGIC + bytes([VERSION, TYPES[kind]]) + struct.pack(">H", seq) + bytes.fromhex(uid)
    body = head + struct.pack(">IH", int(time_s), len(payload)) + payload
    return body + struct.pack(">H", crc16(body))
