#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""picture_test.py DXLCTL [DXLSIM ROBOT.xml] -- pictures of scenes of which we know where
everything is, and of a simulator's own. Prints TAP."""

import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as xml

PATIENCE = 60  # seconds; nothing here is measured
SVG = "{http://www.w3.org/2000/svg}"
STRAIGHT = "1 0 0 0 1 0 0 0 1"
BACKWARD = "-1 0 0 0 -1 0 0 0 1"
TO_THE_LEFT = "0 -1 0 1 0 0 0 0 1"

# Paints of the left and the right side, as limbs have them for a class
LEFT, RIGHT = "p1", "p2"


def link(name, parent, size, at, joint, turn=STRAIGHT):
    return f"link {name} {parent} {size} {at} {turn} {joint}\n"


def robot(hand=0.2, turn=STRAIGHT, hip=0.2):
    """Stands at 0 0, looks along x, and has a left hand and hips that are so high"""
    lines = link("Torso", "-", ".1 .12 .2", "0 0 .3", "0 0 .3", turn)
    lines += link("Head", "Torso", ".06 .06 .06", "0 0 .45", "0 0 .42", turn)
    for side, y in ("L", 0.04), ("R", -0.04):
        lines += link(side + "Thigh", "Torso", ".04 .04 .1", f"0 {y} .15", f"0 {y} {hip}")
        lines += link(side + "Foot", side + "Thigh", ".1 .05 .01", f".01 {y} .005", f"0 {y} .03")
    for side, y, z in ("L", 0.08, hand), ("R", -0.08, 0.2):
        lines += link(
            side + "LowerArm", "Torso", ".1 .04 .04", f".05 {y} {z}", f"0 {y} {(z + .3) / 2}"
        )
    return lines


def scene(when=0, things="", **more):
    camera = f"camera Camera 0 0 .4 {STRAIGHT}\n"
    return f"time {when}\nfloor 0 0 1\n" + camera + robot(**more) + things


def box(name, at, size=".1 .1 .1"):
    return f"thing {name} box {size} {at} {STRAIGHT}\n"


class Simulator(threading.Thread):
    """Answers by one scene after the other, and goes on with the last"""

    def __init__(self, path, scenes):
        super().__init__(daemon=True)
        self.scenes = list(scenes)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen()

    def run(self):
        connection, _ = self.socket.accept()
        with connection, connection.makefile("rw") as stream:
            for line in stream:
                assert line == "scene\n"
                answer = self.scenes.pop(0) if len(self.scenes) > 1 else self.scenes[0]
                if not answer:
                    return
                stream.write(answer if answer.startswith("error") else answer + "ok\n")
                stream.flush()


def run(control, *words):
    return subprocess.run(
        [sys.argv[1], "picture", *words],
        env={**os.environ, "DXLSIM_CONTROL": control},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        text=True,
        check=False,
    )


class Result:
    """What came of a call: exit status, error, the file's text and its elements by id"""

    def __init__(self, scenes, *words, before=None, name="out.svg"):
        with tempfile.TemporaryDirectory() as directory:
            control = os.path.join(directory, "control")
            Simulator(control, scenes).start()
            self.path = os.path.join(directory, name)
            if before is not None:
                with open(self.path, "w", encoding="utf-8") as file:
                    file.write(before)
            process = run(control, *words, self.path)
            self.status, self.error = process.returncode, process.stderr
            self.text = None
            if os.path.exists(self.path):
                with open(self.path, encoding="utf-8") as file:
                    self.text = file.read()
            self.left_over = [n for n in os.listdir(directory) if n not in ("control", name)]

    def tree(self):
        return xml.fromstring(self.text)

    def path_of(self, number):
        return self.tree().find(f".//{SVG}path[@id='{number}']")


def points(path):
    numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", path.replace("h0", ""))]
    return list(zip(numbers[::2], numbers[1::2]))


def middle(path):
    at = points(path)
    return sum(x for x, _ in at) / len(at), sum(y for _, y in at) / len(at)


def limbs(result, paint):
    """The middles of the limbs of that side"""
    used = {use.get("href")[1:] for use in result.tree().iter(SVG + "use") if use.get("class") == paint}
    return [middle(result.path_of(number).get("d")) for number in sorted(used)]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def left_is(result):
    """By how much it is to the right of the right side, on the canvas"""
    return mean(x for x, _ in limbs(result, LEFT)) - mean(x for x, _ in limbs(result, RIGHT))


def front(result):
    """Whether its face is to be seen"""
    group = next(g for g in result.tree().iter(SVG + "g") if g.find(f"{SVG}use[@class='k v']") is not None)
    return group.get("visibility") != "hidden"


def is_upright(result):
    visor = middle(next(p for p in result.tree().iter(SVG + "path") if p.get("id")[:1] == "v").get("d"))
    return all(visor[1] < y - 50 for _, y in limbs(result, LEFT) + limbs(result, RIGHT))


def drawn(result):
    """Shapes from the farthest to the nearest, as takes order them"""
    takes = [g for g in result.tree().findall(SVG + "g") if g.find(SVG + "use") is not None]
    uses = [[use.get("href") for use in take.findall(SVG + "use")] for take in takes]
    return [[use[2:] for use in take if use[1] == "s"] for take in uses]


def hides(far, near, size=".1 .1 .1"):
    """Whether of two boxes that one is drawn behind the other; @size is that of the first"""
    shapes = drawn(Result([scene(things=box("far", far, size) + box("near", near))], "--from", "0"))[0]
    last = max(int(shape) for shape in shapes)
    return shapes.index(str(last - 1)) < shapes.index(str(last))


def floor_below(height):
    """How far down the canvas the floor's middle is, below a robot so far above it"""
    result = Result(["time 0\nfloor 0 0 1\n" + link("Torso", "-", ".1 .1 .2", f"0 0 {height + .1}", f"0 0 {height}")])
    group = next(g for g in result.tree().findall(SVG + "g") if g.get("transform"))
    return float(group.get("transform").split()[-1].rstrip(")"))


def elbow(forward):
    """What is drawn, and when, of an arm that is bent so far ahead: upper arm, forearm, axle"""
    arm = link("Torso", "-", ".1 .12 .2", "0 0 .3", "0 0 .3")
    arm += link("LUpperArm", "Torso", ".04 .04 .1", "0 .12 .35", "0 .12 .4")
    arm += link("LLowerArm", "LUpperArm", ".04 .04 .1", f"{forward} .12 .3", "0 .12 .3")
    result = Result(["time 0\nfloor 0 0 1\n" + arm], "--from", "0")
    take = next(g for g in result.tree().findall(SVG + "g") if g.find(SVG + "use") is not None)
    uses = [use.get("href") for use in take.findall(SVG + "use")]
    forearm = max(int(shape) for shape in drawn(result)[0])
    return [uses.index(use) if use in uses else -1 for use in (f"#s{forearm - 1}", f"#s{forearm}", f"#j{forearm}")]


def animated(result, attribute):
    return [a for a in result.tree().iter(SVG + "animate") if a.get("attributeName") == attribute]


def fits(result):
    at = [p for side in (LEFT, RIGHT) for p in limbs(result, side)]
    return all(0 < x < 400 and 0 < y < 400 for x, y in at)


# As many frames as there are scenes below
QUICK = ("--for", "0.2", "--every", "0.02")

STILL = Result([scene()], "--from", "0")
BEHIND = Result([scene()], "--from", "180")
WAVING = [scene(0.02 * i, hand=0.2 + 0.02 * i) for i in range(11)]
FILM = Result(WAVING, *QUICK)
LATE = Result([WAVING[0], WAVING[3], WAVING[10]], *QUICK)
# Moves from 0.6 s to 0.68 s
SHORTLY = [scene(0.02 * i, hand=0.2 + 0.05 * min(4, max(0, i - 30))) for i in range(81)]
TRIMMED = Result(SHORTLY, "--for", "1.6", "--every", "0.02", "--trim")
RESTING = Result(SHORTLY[:20], "--for", "0.38", "--every", "0.02", "--trim")
COMES = [scene(0.02 * i, things="" if i < 5 else box("b", "0 .3 .05")) for i in range(11)]
APPEARS = Result(COMES, *QUICK)
# What carries the hips is as long as what is not drawn, or a little longer
WAVERS = [scene(0.02 * i, hip=0.1942 - 0.0004 * (i % 2)) for i in range(11)]
TURNED = Result([scene(), scene(0.2, turn=TO_THE_LEFT)], *QUICK)
TURNS = [scene(0.02 * i, turn=STRAIGHT if i < 5 else BACKWARD) for i in range(11)]


def hand_of(result):
    """The heights of what moves, in frames"""
    moving = [a for a in animated(result, "d") if a.get("values").startswith("M") and "Z" not in a.get("values")]
    return [[middle(d)[1] for d in a.get("values").split(";")] for a in moving]


def jumps(result):
    """By how much a point of it moves at most from one frame to the next"""
    most = 0
    for animation in animated(result, "d"):
        frames = [points(d) for d in animation.get("values").split(";")]
        for before, after in zip(frames, frames[1:]):
            most = max([most] + [abs(a - b) for one, two in zip(before, after) for a, b in zip(one, two)])
    return most


def area(at):
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(at, at[1:] + at[:1]))) / 2


def tops(result):
    """The areas of the torso's top, in frames"""
    torso = next(p for p in result.tree().iter(SVG + "path") if p.get("id")[:1] == "z")
    return [area(points(d)) for d in torso.find(SVG + "animate").get("values").split(";")]


def simulated(dxlsim, description):
    """A picture of a robot that dxlsim holds"""
    tree = (
        '/dts-v1/; / { bus { compatible = "robotis,dynamixel-bus"; #address-cells = <1>;'
        " #size-cells = <0>; current-speed = <1000000>; servo@1 {"
        ' compatible = "robotis,ax-12"; reg = <1>; label = "HeadYaw"; }; }; };'
    )
    with tempfile.TemporaryDirectory() as directory:
        overlay, control, out = (os.path.join(directory, n) for n in ("a.dtbo", "control", "out.svg"))
        subprocess.run(["dtc", "-q", "-o", overlay, "-"], input=tree, text=True, check=True)
        command = [dxlsim, "--overlay", overlay, "--stdio", "--control", control, "--body", description]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + PATIENCE
        while not os.path.exists(control) and time.monotonic() < end:
            time.sleep(0.01)
        status = run(control, "--for", "0.3", "--every", "0.05", "--from", "0", out).returncode
        process.stdin.close()
        process.wait(PATIENCE)
        result = object.__new__(Result)
        with open(out, encoding="utf-8") as file:
            result.text = file.read()
    return status == 0 and left_is(result) > 20 and is_upright(result) and front(result)


CASES = [
    ("a picture", lambda: STILL.status == 0 and STILL.error == "" and STILL.tree().tag == SVG + "svg"),
    ("nothing in it moves", lambda: not list(STILL.tree().iter(SVG + "animate"))),
    ("it is small", lambda: len(STILL.text) < 15000),
    ("all of it is to be seen", lambda: fits(STILL) and fits(FILM)),
    ("up is up", lambda: is_upright(STILL) and is_upright(BEHIND)),
    ("from ahead, left is on the right", lambda: left_is(STILL) > 20),
    ("from behind it is on the left", lambda: left_is(BEHIND) < -20),
    ("from ahead it has a face", lambda: front(STILL)),
    ("from behind it has none", lambda: not front(BEHIND)),
    ("what is nearer hides what is farther", lambda: hides(".2 0 .05", ".4 0 .05")),
    ("in whatever order they are told", lambda: not hides(".4 0 .05", ".2 0 .05")),
    ("what is on a thing hides it", lambda: hides(".2 0 .05", ".05 0 .15", ".4 .1 .1")),
    ("the floor below who is held above it is seen", lambda: 200 < floor_below(0.3) < 380),
    ("but not from far above it", lambda: floor_below(2) > 400),
    ("a limb that is nearer has its axle on it", lambda: elbow(0.05)[0] < elbow(0.05)[1]),
    ("one that is farther, too", lambda: elbow(-0.05)[1] < elbow(-0.05)[0] < elbow(-0.05)[2]),
    ("a film", lambda: FILM.status == 0 and FILM.tree().find(SVG + "title").text == "The robot moves for 0.2 s"),
    ("as many values as frames", lambda: all(len(a.get("values").split(";")) == 11 for a in animated(FILM, "d"))),
    ("for as long as it was", lambda: {a.get("dur") for a in FILM.tree().iter(SVG + "animate")} == {"0.2s"}),
    ("only what moves is animated", lambda: 0 < len(animated(FILM, "d")) < 12),
    ("the hand goes up", lambda: any(y == sorted(y, reverse=True) and y[0] > y[-1] + 20 for y in hand_of(FILM))),
    ("frames are even where scenes came late", lambda: LATE.text == FILM.text),
    ("a shape stays what it is", lambda: jumps(Result(WAVERS, *QUICK)) < 3),
    ("what turns stays as large", lambda: max(tops(TURNED)) < 1.02 * min(tops(TURNED))),
    ("without the rest before and after it", lambda: TRIMMED.tree().find(SVG + "title").text == "The robot moves for 1.1 s"),
    ("what never moves is one picture", lambda: RESTING.status == 0 and not animated(RESTING, "d")),
    (
        "what comes is not there before",
        lambda: "visible" in [a.get("values").split(";")[-1] for a in animated(APPEARS, "visibility")]
        and ["0", "0.5"] in [a.get("keyTimes").split(";") for a in animated(APPEARS, "visibility")],
    ),
    (
        "a face that turns away goes",
        lambda: ["visible", "hidden"]
        in [a.get("values").split(";") for a in animated(Result(TURNS, *QUICK, "--from", "0"), "visibility")],
    ),
]

BODILESS = "error: the robot has no body, it was started without --body\n"


def fails(result, status, *words, text=None):
    return (
        result.status == status
        and all(word in result.error for word in words)
        and result.text == text
        and not result.left_over
    )


CASES += [
    ("no body", lambda: fails(Result([BODILESS]), 1, "dxlctl: " + BODILESS)),
    ("and an older picture stays", lambda: fails(Result([BODILESS], before="old"), 1, "no body", text="old")),
    ("no simulator any more", lambda: fails(Result([""]), 2, "no answer")),
    ("a number that is none", lambda: fails(Result([scene(hand=float("nan"))]), 1, "\"link\"")),
    (
        "what has gone far away is left out",
        lambda: Result([scene(things=box("b", "20000 0 0"))], "--from", "0").text == STILL.text,
    ),
    (
        "a robot that has gone is told of",
        lambda: fails(
            Result([scene() + link("Tail", "Torso", ".1 .1 .1", "0 0 -20000", "0 0 .3")]), 1, "Tail is 20 km away"
        ),
    ),
    ("a scene cut off", lambda: fails(Result([scene()[:-20] + "\n"]), 1, "\"link\"")),
    ("a line of tomorrow", lambda: fails(Result([scene() + "cloud 1\n"]), 1, "\"cloud\"")),
    ("more than there is room for", lambda: fails(Result([scene(things=box("b", "1 1 1") * 99)]), 1, "\"thing\"")),
    ("no such directory", lambda: fails(Result([scene()], name="none/out.svg"), 2, "none/out.svg: No such file")),
    ("no file", lambda: "expected the name of one file" in run("/none").stderr),
    ("no time", lambda: "--for is \"nan\", expected a number" in run("/none", "--for", "nan", "a").stderr),
    ("too many frames", lambda: "less than 2000" in run("/none", "--for", "3600", "a").stderr),
    (
        "a film whose simulator ends is kept",
        lambda: (lambda r: r.status == 2 and len(animated(r, "d")) > 0)(Result(WAVING[:4] + [""], *QUICK)),
    ),
    (
        "a time that stands still ends it",
        lambda: fails(Result([scene()], "--for", "1", "--every", "1"), 2, "stands still", text=Result([scene()]).text),
    ),
]

if len(sys.argv) > 2:
    CASES.append(("a robot of dxlsim's own", lambda: simulated(*sys.argv[2:4])))

failed = False
for number, (name, good) in enumerate(CASES, 1):
    passed = good()
    failed = failed or not passed
    print("%s %d - %s" % ("ok" if passed else "not ok", number, name))
print("1..%d" % len(CASES))
sys.exit(failed)
