// SPDX-License-Identifier: GPL-2.0-or-later
/* The overlay reader: what it finds, and what it says about bad blobs. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libfdt.h>

#include "../base/base.h"
#include "../models/models.h"
#include "../overlay.h"

struct blob {
	void *data;
	size_t size;
};

/* Compile source text. dtc's own warnings are of no interest. */
static struct blob compile(const char *source)
{
	char in[] = "/tmp/dxlsim-dts-XXXXXX", out[] = "/tmp/dxlsim-dtb-XXXXXX";
	char command[256];
	struct blob blob;
	FILE *file;
	int fd = mkstemp(in);

	assert_int_equal(write(fd, source, strlen(source)), strlen(source));
	close(fd);
	close(mkstemp(out));
	snprintf(command, sizeof(command),
		 "dtc -q -f -@ -I dts -O dtb -o %s %s", out, in);
	assert_int_equal(system(command), 0);

	file = fopen(out, "rb");
	assert_non_null(file);
	blob.data = malloc(1 << 20);
	blob.size = fread(blob.data, 1, 1 << 20, file);
	blob.data = realloc(blob.data, blob.size);
	fclose(file);
	unlink(in);
	unlink(out);

	return blob;
}

/* What is said about a blob, "" if nothing. The caller frees it. */
static char *parse(struct overlay *overlay, const void *data, size_t size)
{
	char *text = NULL;
	size_t len = 0;
	FILE *err = open_memstream(&text, &len);
	int ret = overlay_parse(overlay, data, size, "file.dtbo", err);

	fclose(err);
	/* It fails with a reason, or without one not at all. */
	assert_int_equal(ret != 0, len > 0);
	if (len)
		assert_int_equal(strncmp(text, "file.dtbo: ", 11), 0);

	return text;
}

static const char plain[] =
"/dts-v1/; /plugin/;\n"
"&{/pl011@9000000} { dynamixel {\n"
"  compatible = \"robotis,dynamixel-bus\"; current-speed = <1000000>;\n"
"  #address-cells = <1>; #size-cells = <0>;\n"
"  servo@1 { compatible = \"robotis,ax-12\"; reg = <1>; label = \"HeadYaw\"; };\n"
"  servo@fd { compatible = \"robotis,mx-28\"; reg = <253>; };\n"
"  servo@2 { compatible = \"robotis,ax-12\"; reg = <2>; status = \"disabled\"; };\n"
"}; };\n";

static void finds_bus_and_devices(void **state)
{
	struct blob blob = compile(plain);
	struct overlay overlay;
	char *text = parse(&overlay, blob.data, blob.size);

	(void)state;
	assert_string_equal(text, "");
	assert_int_equal(overlay.baud, 1000000);
	assert_int_equal(overlay.count, 2);
	assert_int_equal(overlay.devices[0].id, 1);
	assert_string_equal(overlay.devices[0].label, "HeadYaw");
	assert_ptr_equal(overlay.devices[0].model, &model_ax12);
	assert_int_equal(overlay.devices[1].id, 253);
	assert_string_equal(overlay.devices[1].label, "253");
	assert_ptr_equal(overlay.devices[1].model, &model_mx28);
	free(text);
	free(blob.data);
}

static void reads_a_merged_tree(void **state)
{
	struct blob blob = compile(
"/dts-v1/; / { soc { uart@1 { reg = <1>; compatible = \"arm,pl011\";\n"
"  other { compatible = \"robotis,dynamixel-bus\"; status = \"disabled\"; };\n"
"  dynamixel { compatible = \"vendor,robot\", \"robotis,dynamixel-bus\";\n"
"    current-speed = <57600>; #address-cells = <1>; #size-cells = <0>;\n"
"    servo@7 { compatible = \"x,y\", \"robotis,mx-28\"; reg = <7>; status = \"okay\"; };\n"
"}; }; }; };\n");
	struct overlay overlay;
	char *text = parse(&overlay, blob.data, blob.size);

	(void)state;
	assert_string_equal(text, "");
	assert_int_equal(overlay.baud, 57600);
	assert_int_equal(overlay.count, 1);
	assert_ptr_equal(overlay.devices[0].model, &model_mx28);
	free(text);
	free(blob.data);
}

#define BUS(speed, children)						\
	"/dts-v1/; / { bus { compatible = \"robotis,dynamixel-bus\"; "	\
	"#address-cells = <1>; #size-cells = <0>; " speed children " }; };"
#define SPEED	"current-speed = <1000000>; "
#define PORTS(sensors) \
	BUS(SPEED, "b@c8 { compatible = \"robotis,cm-510\"; reg = <200>; " \
		   "robotis,port-sensors = " sensors "; };")
#define AX	"compatible = \"robotis,ax-12\"; "

static const struct {
	const char *source;
	const char *complaint;
} bad[] = {
	{ "/dts-v1/; / { };",
	  "file.dtbo: has no node compatible with \"robotis,dynamixel-bus\"\n" },
	{ BUS("", ""), "file.dtbo: /bus: has no current-speed\n" },
	{ BUS("current-speed = <1 2>;", ""),
	  "file.dtbo: /bus: current-speed has 8 bytes, expected one cell of 4\n" },
	{ BUS("current-speed = <5>;", ""),
	  "file.dtbo: /bus: current-speed is 5, expected 1000 to 10000000\n" },
	{ BUS(SPEED, ""), "file.dtbo: /bus: has no devices\n" },
	{ BUS(SPEED, "s@1 { reg = <1>; };"),
	  "file.dtbo: /bus/s@1: has no compatible\n" },
	{ BUS(SPEED, "s@1 { reg = <1>; compatible = [41]; };"),
	  "file.dtbo: /bus/s@1: compatible is not a string\n" },
	{ BUS(SPEED, "s@1 { reg = <1>; compatible = \"acme,servo\"; };"),
	  "file.dtbo: /bus/s@1: compatible is \"acme,servo\", which is no model here; dxlsim --models lists them\n" },
	{ BUS(SPEED, "s@1 { " AX "};"), "file.dtbo: /bus/s@1: has no reg\n" },
	{ BUS(SPEED, "s@1 { " AX "reg = <0 1>; };"),
	  "file.dtbo: /bus/s@1: reg has 8 bytes, expected one cell of 4\n" },
	{ BUS(SPEED, "s@fe { " AX "reg = <254>; };"),
	  "file.dtbo: /bus/s@fe: reg is 254, expected an ID of 0 to 253\n" },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; }; s@2 { " AX "reg = <1>; };"),
	  "file.dtbo: /bus/s@2: reg is 1, which 1 has already\n" },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; label = \"A\"; }; s@2 { " AX "reg = <2>; label = \"A\"; };"),
	  "file.dtbo: /bus/s@2: label is \"A\", which ID 1 has already\n" },
#define NO_SENSORS \
	"file.dtbo: /bus/s@1: robotis,port-sensors is not strings of printing characters without spaces and commas\n"
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors = \"dms\", \"i r\"; };"),
	  NO_SENSORS },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors = \"dms,ir\"; };"),
	  NO_SENSORS },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors = \"dms\", \"\"; };"),
	  NO_SENSORS },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors = \"\", \"ir\"; };"),
	  NO_SENSORS },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors = <0x64000000>; };"),
	  NO_SENSORS },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors; };"), NO_SENSORS },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors = "
		     "\"1234567890123456789012345678901234567890123456789012345678901234567890\","
		     "\"12345678901234567890123456\"; };"),
	  "file.dtbo: /bus/s@1: robotis,port-sensors has 98 bytes, at most 96 are possible\n" },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; robotis,port-sensors = \"none\"; };"),
	  "file.dtbo: /bus/s@1: robotis,port-sensors is there, but the AX-12 has no ports\n" },
	{ PORTS("\"ir\", \"dms\""),
	  "file.dtbo: /bus/b@c8: robotis,port-sensors is of 2 ports, expected 6\n" },
	{ PORTS("\"ir\", \"dms\", \"ir\", \"ir\", \"ir\", \"ir\", \"ir\""),
	  "file.dtbo: /bus/b@c8: robotis,port-sensors is of 7 ports, expected 6\n" },
	{ PORTS("\"ir\", \"dm\", \"ir\", \"ir\", \"ir\", \"ir\""),
	  "file.dtbo: /bus/b@c8: robotis,port-sensors has \"dm\", expected none, accel-x, accel-y, accel-z, dms, gyro-x, gyro-y, gyro-z or ir\n" },
	{ PORTS("\"gyro-x\", \"ir\", \"ir\", \"ir\", \"none\", \"gyro-x\""),
	  "file.dtbo: /bus/b@c8: robotis,port-sensors has a second gyro-x\n" },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; label = \"two words\"; };"),
	  "file.dtbo: /bus/s@1: label is not a string of printing characters without spaces\n" },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; label = \"\"; };"),
	  "file.dtbo: /bus/s@1: label is not a string of printing characters without spaces\n" },
	{ BUS(SPEED, "s@1 { " AX "reg = <1>; label = \"12345678901234567890123456789012\"; };"),
	  "file.dtbo: /bus/s@1: label has 32 characters, at most 31 are possible\n" },
	/* Protocol 2.0 has one ID less. */
	{ BUS(SPEED, "s@fd { compatible = \"robotis,xl-320\"; reg = <253>; };"),
	  "file.dtbo: /bus/s@fd: reg is 253, expected an ID of 0 to 252 for XL-320\n" },
	{ BUS("current-speed = <500000>;", "s@1 { compatible = \"robotis,xm430-w350\"; reg = <1>; };"),
	  "file.dtbo: /bus/s@1: current-speed of the bus is 500000, which no XM430-W350 can be set to\n" },
	{ BUS("current-speed = <3000000>;", "s@1 { " AX "reg = <1>; };"),
	  "file.dtbo: /bus/s@1: current-speed of the bus is 3000000, which no AX-12 can be set to\n" },
	{ "/dts-v1/; / { a { compatible = \"robotis,dynamixel-bus\"; }; b { compatible = \"robotis,dynamixel-bus\"; }; };",
	  "file.dtbo: /b: is a second bus, expected only one\n" },
};

static void says_what_is_wrong(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct blob blob = compile(bad[i].source);
		struct overlay overlay;
		char *text = parse(&overlay, blob.data, blob.size);

		assert_string_equal(text, bad[i].complaint);
		free(text);
		free(blob.data);
	}
}

static void finds_every_model(void **state)
{
	const struct model *model;
	char source[512];
	size_t i;

	(void)state;
	for (i = 0; (model = model_by_index(i)); i++) {
		struct overlay overlay;
		struct blob blob;
		char *text;

		snprintf(source, sizeof(source),
			 BUS(SPEED, "s@1 { compatible = \"%s\"; reg = <1>; };"),
			 model->compatible);
		blob = compile(source);
		text = parse(&overlay, blob.data, blob.size);
		assert_string_equal(text, "");
		assert_ptr_equal(overlay.devices[0].model, model);
		free(text);
		free(blob.data);
	}
}

static void both_protocols_on_one_bus(void **state)
{
	struct blob blob = compile(BUS(SPEED,
		"s@1 { " AX "reg = <1>; };"
		"s@2 { compatible = \"robotis,mx-64-2\"; reg = <2>; };"));
	struct overlay overlay;
	char *text = parse(&overlay, blob.data, blob.size);

	(void)state;
	assert_string_equal(text, "");
	assert_int_equal(overlay.devices[0].model->protocol, 1);
	assert_int_equal(overlay.devices[1].model->protocol, 2);
	free(text);
	free(blob.data);
}

static void ports_have_sensors(void **state)
{
	struct blob blob = compile(PORTS("\"ir\", \"none\", \"gyro-x\", \"gyro-y\", \"dms\", \"ir\""));
	struct device *dev = calloc(1, sizeof(*dev));
	struct overlay overlay;
	char *text = parse(&overlay, blob.data, blob.size);

	(void)state;
	assert_string_equal(text, "");
	assert_true(overlay.devices[0].plugged);
	device_init(dev, overlay.devices[0].model, 200, 1000000, "Board", 0);
	ports_plug(dev, &overlay.devices[0].ports);
	assert_int_equal(board_sense(dev, 32)->quantity, QUANTITY_DISTANCE);
	assert_int_equal(board_sense(dev, 34)->quantity, QUANTITY_VOLTAGE);
	assert_int_equal(board_sense(dev, 36)->quantity, QUANTITY_RATE);
	assert_int_equal(board_sense(dev, 42)->lamp, 1 << 5);
	free(dev);
	free(text);
	free(blob.data);
}

static void longest_label(void **state)
{
	struct blob blob = compile(BUS(SPEED, "s@1 { " AX
		"reg = <1>; label = \"1234567890123456789012345678901\"; };"));
	struct overlay overlay;
	char *text = parse(&overlay, blob.data, blob.size);

	(void)state;
	assert_string_equal(text, "");
	assert_string_equal(overlay.devices[0].label,
			    "1234567890123456789012345678901");
	free(text);
	free(blob.data);
}

/* A copy of its own size, so that reading past its end is noticed. */
static void parse_copy(const void *data, size_t size, bool must_fail)
{
	void *copy = malloc(size ? size : 1);
	struct overlay overlay;
	char *text;

	memcpy(copy, data, size);
	text = parse(&overlay, copy, size);
	if (must_fail)
		assert_true(strlen(text) > 0);
	free(text);
	free(copy);
}

static void assert_complaint(const void *data, size_t size, const char *start)
{
	struct overlay overlay;
	char *text = parse(&overlay, data, size);

	assert_int_equal(strncmp(text, start, strlen(start)), 0);
	free(text);
}

static void truncated_anywhere(void **state)
{
	struct blob blob = compile(plain);
	size_t size;

	(void)state;
	for (size = 0; size < blob.size; size++)
		parse_copy(blob.data, size, true);
	assert_complaint(blob.data, 100, "file.dtbo: truncated: has 100 bytes, expected ");
	free(blob.data);
}

/* The rest can still be read, but such a blob is not to be trusted. */
static void unfinished_structure(void **state)
{
	struct blob blob = compile(plain);
	u8 *fdt = blob.data;
	size_t end = fdt_off_dt_struct(fdt) + fdt_size_dt_struct(fdt);

	(void)state;
	fdt[end - 1] = FDT_NOP;
	assert_complaint(fdt, blob.size, "file.dtbo: damaged: ");
	free(blob.data);
}

static void damaged_anywhere(void **state)
{
	struct blob blob = compile(plain);
	u8 *data = blob.data;
	size_t at;
	int bit;

	(void)state;
	for (at = 0; at < blob.size; at++) {
		for (bit = 0; bit < 8; bit++) {
			data[at] ^= 1 << bit;
			parse_copy(data, blob.size, false);
			data[at] ^= 1 << bit;
		}
	}
	free(blob.data);
}

static void damaged_all_over(void **state)
{
	struct blob blob = compile(plain);
	uint64_t seed = 12;
	int round;

	(void)state;
	for (round = 0; round < 5000; round++) {
		u8 *copy = malloc(blob.size);
		int n = 1 + random_below(&seed, 8);

		memcpy(copy, blob.data, blob.size);
		while (n--)
			copy[random_below(&seed, blob.size)] =
				random_below(&seed, 256);
		parse_copy(copy, blob.size, false);
		free(copy);
	}
	free(blob.data);
}

static void not_a_blob(void **state)
{
	static const char text[64] = "this is text and not a device tree";
	struct overlay overlay;
	char *said = parse(&overlay, text, sizeof(text));

	(void)state;
	assert_string_equal(said, "file.dtbo: begins with 74686973, expected a device-tree blob (d00dfeed)\n");
	free(said);
	said = parse(&overlay, text, 3);
	assert_string_equal(said, "file.dtbo: has 3 bytes, too few for a device-tree blob\n");
	free(said);
}

static void files_that_cannot_be_read(void **state)
{
	struct overlay overlay;
	char *text = NULL;
	size_t len = 0;
	FILE *err = open_memstream(&text, &len);

	(void)state;
	assert_int_not_equal(overlay_load(&overlay, "/nowhere/x.dtbo", err), 0);
	assert_int_not_equal(overlay_load(&overlay, "/tmp", err), 0);
	assert_int_not_equal(overlay_load(&overlay, "/dev/zero", err), 0);
	fclose(err);
	assert_string_equal(text,
		"/nowhere/x.dtbo: No such file or directory\n"
		"/tmp: Is a directory\n"
		"/dev/zero: more than 4194304 bytes, too long for a device-tree blob\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_bus_and_devices),
		cmocka_unit_test(reads_a_merged_tree),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(finds_every_model),
		cmocka_unit_test(both_protocols_on_one_bus),
		cmocka_unit_test(ports_have_sensors),
		cmocka_unit_test(longest_label),
		cmocka_unit_test(truncated_anywhere),
		cmocka_unit_test(unfinished_structure),
		cmocka_unit_test(damaged_anywhere),
		cmocka_unit_test(damaged_all_over),
		cmocka_unit_test(not_a_blob),
		cmocka_unit_test(files_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
