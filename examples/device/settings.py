"""What this board can be configured to, and what is wrong with a value."""

# Settings that this board can apply, with the bounds of its hardware. A setting that is not here is refused.
SUPPORTED = {
    "reportIntervalS": (5, 3600), "keepaliveIntervalS": (10, 600), "socMinPct": (0, 50), "socMaxPct": (50, 100),
    "backupReservePct": (0, 100), "operatingMode": None, "chargePowerLimitW": None, "dischargePowerLimitW": None,
    "gridImportLimitW": None, "gridExportLimitW": None, "manualPowerW": None, "schedule": None, "cellVoltageMinMv": None,
    "cellVoltageMaxMv": None, "chargeCurrentMaxA": None, "dischargeCurrentMaxA": None, "chargeTempMinC": None,
    "chargeTempMaxC": None, "dischargeTempMinC": None, "dischargeTempMaxC": None, "balancingEnabled": None,
    "balancingStartMv": None, "balancingDeltaMv": None, "timezone": None, "remoteControlEnabled": None, "autoUpdate": None,
    "logLevel": None,
}


def fault_of(name, value):
    if value is None:
        return None
    if name not in SUPPORTED:
        return "%s is not supported" % name
    bounds = SUPPORTED[name]
    return None if not bounds or bounds[0] <= value <= bounds[1] else "%s must be %g to %g" % (name, *bounds)
