#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""robocup -- a program for a NAO v6, as short as one can be: it makes the robot stiff where it is,
turns its head to the left and back, and tells on which way that was.

	naohwd --robot bioloid --lola /tmp/robocup
	robocup.py
"""

import math
import socket

import msgpack

PACKET_SIZE = 896
HEAD_YAW = 0
CYCLES = 250


def sense(lola):
    """All that the robot senses in the next cycle"""
    return msgpack.unpackb(lola.recv(PACKET_SIZE))


def main():
    lola = socket.socket(socket.AF_UNIX)
    lola.connect("/tmp/robocup")
    position = sense(lola)["Position"]
    seen = []
    for cycle in range(CYCLES):
        position[HEAD_YAW] = 0.5 * math.sin(math.pi * cycle / CYCLES)
        lola.send(msgpack.packb({"Position": position, "Stiffness": [0.8] * len(position)}))
        seen.append(sense(lola)["Position"][HEAD_YAW])
    print("the head was at %.2f to %.2f rad" % (min(seen), max(seen)))


if __name__ == "__main__":
    main()
