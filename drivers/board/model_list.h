/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The boards: one row each, from which every table of them is made.
 *
 * DXL_BOARD(protocol, number, compatible, layout): the number in the four
 * hexadecimal digits of the MODALIAS; the compatible string; the layout in
 * models.c. DXL_BOARD_UNNUMBERED() is one whose number the maker does not say: it is
 * bound by its compatible alone, and its number is not checked.
 *
 * Included where DXL_BOARD() is defined as needed, so there is no guard; and
 * DXL_BOARD_UNNUMBERED(), for this one time, where it is not a row as the others.
 */
#ifndef DXL_BOARD_UNNUMBERED
#define DXL_BOARD_UNNUMBERED(_protocol, ...) \
	DXL_BOARD(_protocol, 0000, __VA_ARGS__)
#endif

/* emanual.robotis.com/docs/en/platform/op/references/#sub-controller */
DXL_BOARD(1, 7300, "robotis,cm-730", cm730)
/* ROBOTIS-Framework, OPEN-CR.device; number and units are those of its firmware */
DXL_BOARD(2, 7400, "robotis,opencr", opencr)
/* emanual.robotis.com/docs/en/platform/op/references/#fsrforce-sensing-resister */
DXL_BOARD(1, 0154, "robotis,fsr", fsr)
/* Documentation/boards/cm-510.rst: the map is this project's own */
DXL_BOARD(1, 0510, "robotis,cm-510", cm510)
/* Documentation/boards/nao-boards.rst: these maps are, too */
DXL_BOARD(2, 4E01, "naohw,nao-chest-board", nao_chest)
DXL_BOARD(2, 4E02, "naohw,nao-foot-board", nao_foot)
DXL_BOARD(2, 4E03, "naohw,nao-touch-board", nao_touch)
DXL_BOARD(2, 4E04, "naohw,nao-hand-touch", nao_hand)
DXL_BOARD(2, 4E05, "naohw,nao-face-board", nao_face)
DXL_BOARD(2, 4E06, "naohw,nao-ear-leds", nao_ears)
DXL_BOARD(2, 4E07, "naohw,nao-inertial-sensor", nao_inertial)
DXL_BOARD(2, 4E08, "naohw,nao-us", nao_us)
/* Documentation/boards/nao-battery.rst: so are these */
DXL_BOARD(2, 4E20, "naohw,nao-battery-bmz", nao_bmz)
DXL_BOARD(2, 4E21, "naohw,nao-battery-sanyo", nao_sanyo)
/* Documentation/boards/pepper-boards.rst: and these */
DXL_BOARD(2, 5001, "naohw,pepper-fuse", pepper_fuse)
DXL_BOARD(2, 5002, "naohw,pepper-laser", pepper_laser)
DXL_BOARD(2, 5003, "naohw,pepper-base", pepper_base)
/* ROBOTIS-Framework, CM-740.device */
DXL_BOARD_UNNUMBERED(1, "robotis,cm-740", cm740)

#undef DXL_BOARD_UNNUMBERED
