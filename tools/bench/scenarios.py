# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured."""

from dataclasses import dataclass, replace
from typing import Optional, Tuple


@dataclass(frozen=True)
class Scenario:
    """An exchange: a sync write to all devices and a read of all devices

    Addresses come with a number of bytes. `devices` are those on each bus, and
    `missing` is the ID of one that is silent, or 0. `published` is the rate that
    the best system in user space is said to reach. One that is `large` takes longer
    than a test may.
    """

    name: str
    title: str
    model: str
    kind: str
    protocol: int
    baud: int
    turnaround_us: int
    devices: int
    read: Tuple[int, int]
    write: Tuple[int, int]
    buses: int = 1
    missing: int = 0
    published: Optional[int] = None
    large: bool = False

    def guest_line(self, overlay, count, rounds, margin_us):
        """As guest.sh reads it"""
        fields = (
            self.name, overlay, self.kind, self.protocol, self.baud, self.turnaround_us,
            margin_us, self.devices, self.buses, self.missing, *self.read, *self.write, count, rounds,
        )
        return " ".join(str(field) for field in fields)


def whole():
    """The scenarios in which no servo is missing"""
    # Moving Speed and Goal Position; Present Position to Present Temperature.
    yield Scenario(
        "ax12-single", "18 AX-12, single reads, 1 Mbaud",
        "ax-12", "single", 1, 1000000, 0, 18, (36, 8), (30, 4),
    )
    # Goal Position; Present Current, Velocity and Position.
    for baud in (1, 4):
        yield Scenario(
            "mx28-sync-%dm" % baud, "20 MX-28 (2.0), sync read, %d Mbaud" % baud,
            "mx-28-2", "sync", 2, baud * 1000000, 0, 20, (126, 10), (116, 4),
        )
    yield Scenario(
        "xm430-fast-4m", "20 XM430, fast sync read, 4 Mbaud",
        "xm430-w350", "fast", 2, 4000000, 0, 20, (126, 10), (116, 4),
    )
    # Nearly as many as there are IDs: what one device costs must not grow with their number.
    yield Scenario(
        "xl430-fast-4m-250", "250 XL430, fast sync read, 4 Mbaud",
        "xl430-w250", "fast", 2, 4000000, 0, 250, (126, 10), (116, 4), large=True,
    )
    for buses, figures in ((1, (149, 261, 398)), (4, (524, 923, 1373))):
        for baud, figure in zip((1, 2, 4), figures):
            yield Scenario(
                "mx64-sync-%dm-%d" % (baud, buses),
                "20 MX-64 (2.0) on %d, sync read, %d Mbaud, 50 us"
                % (buses, baud),
                "mx-64-2", "sync", 2, baud * 1000000, 50, 20 // buses, (126, 10), (116, 4),
                buses=buses, published=figure,
            )


def with_one_missing(scenario):
    """One in the middle: a chain of answers breaks there"""
    return replace(
        scenario, name=scenario.name + "-missing", missing=scenario.devices // 2, published=None
    )


SCENARIOS = tuple(s for scenario in whole() for s in (scenario, with_one_missing(scenario)))
