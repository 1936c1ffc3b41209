/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The models: one row each, from which every table of them is made.
 *
 * DXL_SERVO(protocol, number, compatible, series, ...): the number in the four
 * hexadecimal digits of the MODALIAS, decimal in the comment; the compatible
 * string; the series in models.c; and what of &struct dxl_servo_model is the
 * model's own. The page of the maker's manual before a row is below
 * emanual.robotis.com/docs/en/dxl/.
 *
 * Included where DXL_SERVO() is defined as needed, so there is no guard.
 */

/* ax/ax-12a/: 12 */
DXL_SERVO(1, 000C, "robotis,ax-12", ax)
/* ax/ax-18a/: 18 */
DXL_SERVO(1, 0012, "robotis,ax-18", ax)
/* rx/rx-24f/: 24 */
DXL_SERVO(1, 0018, "robotis,rx-24f", ax)
/* rx/rx-28/: 28 */
DXL_SERVO(1, 001C, "robotis,rx-28", ax)
/* rx/rx-64/: 64 */
DXL_SERVO(1, 0040, "robotis,rx-64", ax)
/* ex/ex-106+/: 107; 10 mA, more than 512 is clockwise */
DXL_SERVO(1, 006B, "robotis,ex-106", ex,
	  .current_ua = -10000, .current_zero = 512)
/* mx/mx-12w/: 360, of which old versions of the page show the low byte */
DXL_SERVO(1, 0168, "robotis,mx-12w", mx12)
/* mx/mx-28/: 29 */
DXL_SERVO(1, 001D, "robotis,mx-28", mx)
/* mx/mx-64/: 310; 4.5 mA */
DXL_SERVO(1, 0136, "robotis,mx-64", mx64,
	  .current_ua = 4500, .current_zero = 2048)
/* mx/mx-106/: 320; 4.5 mA */
DXL_SERVO(1, 0140, "robotis,mx-106", mx64,
	  .current_ua = 4500, .current_zero = 2048)
/* mx/mx-28-2/: 30 */
DXL_SERVO(2, 001E, "robotis,mx-28-2", mx28_2)
/* mx/mx-64-2/: 311; 3.36 mA */
DXL_SERVO(2, 0137, "robotis,mx-64-2", mx64_2,
	  .current_ua = 3360, .current_range = { -1941, 1, 1941 })
/* mx/mx-106-2/: 321; 3.36 mA */
DXL_SERVO(2, 0141, "robotis,mx-106-2", mx64_2,
	  .current_ua = 3360, .current_range = { -2047, 1, 2047 })
/* x/xl320/: 350 */
DXL_SERVO(2, 015E, "robotis,xl-320", xl320)
/* x/xl430-w250/: 1060 */
DXL_SERVO(2, 0424, "robotis,xl430-w250", xl430)
/* x/xc430-w150/: 1070 */
DXL_SERVO(2, 042E, "robotis,xc430-w150", xl430)
/* x/xc430-w240/: 1080 */
DXL_SERVO(2, 0438, "robotis,xc430-w240", xl430)
/* x/xm430-w210/: 1030; 2.69 mA */
DXL_SERVO(2, 0406, "robotis,xm430-w210", x,
	  .current_ua = 2690, .current_range = { -1193, 1, 1193 })
/* x/xm430-w350/: 1020; 2.69 mA */
DXL_SERVO(2, 03FC, "robotis,xm430-w350", x,
	  .current_ua = 2690, .current_range = { -1193, 1, 1193 })
/* x/xm540-w150/: 1130; 2.69 mA */
DXL_SERVO(2, 046A, "robotis,xm540-w150", x,
	  .current_ua = 2690, .current_range = { -2047, 1, 2047 })
/* x/xm540-w270/: 1120; 2.69 mA */
DXL_SERVO(2, 0460, "robotis,xm540-w270", x,
	  .current_ua = 2690, .current_range = { -2047, 1, 2047 })
/* x/xh430-w210/: 1010; 2.69 mA */
DXL_SERVO(2, 03F2, "robotis,xh430-w210", x,
	  .current_ua = 2690, .current_range = { -648, 1, 648 })
/* x/xh430-w350/: 1000; 2.69 mA */
DXL_SERVO(2, 03E8, "robotis,xh430-w350", x,
	  .current_ua = 2690, .current_range = { -648, 1, 648 })
/* x/xh430-v210/: 1050; 1.34 mA */
DXL_SERVO(2, 041A, "robotis,xh430-v210", x,
	  .current_ua = 1340, .current_range = { -689, 1, 689 })
/* x/xh430-v350/: 1040; 1.34 mA */
DXL_SERVO(2, 0410, "robotis,xh430-v350", x,
	  .current_ua = 1340, .current_range = { -689, 1, 689 })
/* x/xh540-w150/: 1110; 2.69 mA */
DXL_SERVO(2, 0456, "robotis,xh540-w150", x,
	  .current_ua = 2690, .current_range = { -2047, 1, 2047 })
/* x/xh540-w270/: 1100; 2.69 mA */
DXL_SERVO(2, 044C, "robotis,xh540-w270", x,
	  .current_ua = 2690, .current_range = { -2047, 1, 2047 })
/* x/xh540-v150/: 1150; 2.69 mA */
DXL_SERVO(2, 047E, "robotis,xh540-v150", x,
	  .current_ua = 2690, .current_range = { -1188, 1, 1188 })
/* x/xh540-v270/: 1140; 2.69 mA */
DXL_SERVO(2, 0474, "robotis,xh540-v270", x,
	  .current_ua = 2690, .current_range = { -2047, 1, 2047 })
/* Documentation/boards/nao-motor.rst, a map of this project's own: 19984; 1 mA */
DXL_SERVO(2, 4E10, "naohw,nao-motor", nao_motor,
	  .current_ua = 1000, .current_range = { 0, 1, 2000 })
