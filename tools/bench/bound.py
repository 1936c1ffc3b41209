# SPDX-License-Identifier: GPL-2.0-or-later
"""The wire bound: how long an exchange takes if nothing but the line takes time.

Numbers are those of the maker's protocol descriptions: bytes of ten bits, and
the time for which each device lets the line rest before it answers. Nothing is
allowed for the controller. Byte stuffing is left out, as the benchmarks' data
never needs it.
"""

BITS_PER_BYTE = 10

# Bytes of a packet beside its parameters.
OVERHEAD = {1: 6, 2: 10}
# Address and length, as READ, SYNC_READ and SYNC_WRITE take them.
RANGE = {1: 2, 2: 4}
# The answer to FAST_SYNC_READ: what comes before the first device's part, and
# what each part has beside the data: error, ID, CRC.
FAST_HEADER = 8
FAST_PART = 4
# For as long as so many bytes take, a UART keeps those that do not fill its FIFO.
UART_BYTES = 5


class Line:
    """A line with devices of one protocol on it, all with the same turnaround"""

    def __init__(self, protocol, baud, turnaround_us):
        self.protocol = protocol
        self.byte_us = BITS_PER_BYTE * 1e6 / baud
        self.turnaround_us = turnaround_us

    def answer_us(self, length):
        """A status packet; that of 2.0 has its error byte beside the instruction"""
        error = 1 if self.protocol == 2 else 0
        return self.byte_us * (OVERHEAD[self.protocol] + error + length) + self.turnaround_us

    def read_request_us(self):
        return self.byte_us * (OVERHEAD[self.protocol] + RANGE[self.protocol])

    def group_request_us(self, devices):
        """SYNC_READ and FAST_SYNC_READ"""
        return self.byte_us * (OVERHEAD[2] + RANGE[2] + devices)

    def fast_answer_us(self, devices, length):
        """One packet of all: only its beginning has to wait for a device"""
        parts = devices * (FAST_PART + length)
        return self.byte_us * (FAST_HEADER + parts) + self.turnaround_us

    def sync_write_us(self, devices, length):
        if not length:
            return 0.0
        parameters = RANGE[self.protocol] + devices * (1 + length)
        return self.byte_us * (OVERHEAD[self.protocol] + parameters)

    def read_us(self, kind, devices, length):
        """Reads `length` bytes from each of so many devices"""
        if not devices:
            return 0.0
        if kind == "single":
            return devices * (self.read_request_us() + self.answer_us(length))
        if kind == "sync":
            return self.group_request_us(devices) + devices * self.answer_us(length)
        if kind == "fast":
            return self.group_request_us(devices) + self.fast_answer_us(devices, length)
        raise ValueError("no kind of read is called '%s'" % kind)

    def exchange_us(self, kind, devices, read, write):
        return self.sync_write_us(devices, write) + self.read_us(kind, devices, read)

    def timeout_us(self, length, margin_us):
        """After its request, how long a device is waited for that stays silent

        Time for its longest answer, one in which all is stuffed that can be, and
        until a UART has handed the last bytes over. Its turnaround is no return
        delay that it was set to, so nobody knows of that.
        """
        stuffing = (length + 2) // 3 if self.protocol == 2 else 0
        late = self.byte_us * (stuffing + UART_BYTES)
        return self.answer_us(length) - self.turnaround_us + late + margin_us

    def silent_us(self, kind, devices, read, write, place, margin_us):
        """An exchange in which the device at `place` (from 0) is silent

        The devices before it answer, its time-out passes, and those behind it
        are asked: again where the silence has broken a chain of answers.
        """
        behind = devices - place - 1
        us = self.sync_write_us(devices, write) + self.timeout_us(read, margin_us)
        us += self.read_us(kind, behind, read)
        if kind == "single":
            return us + self.read_us(kind, place, read) + self.read_request_us()
        us += self.group_request_us(devices)
        if kind == "fast":
            return us + (self.fast_answer_us(place, read) if place else 0.0)
        return us + place * self.answer_us(read)
