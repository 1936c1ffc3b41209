// SPDX-License-Identifier: LGPL-2.1-or-later
/* Layers of a description: where they are, which one holds, and what is said of faults. */
#include "support.h"

#include <libxml/tree.h>
#include <sys/stat.h>
#include <unistd.h>

#include "description/description.h"
#include "robot_files.h"
#include "seeds.h"

#define TEST(test) cmocka_unit_test_setup_teardown(test, robot_files_setup, teardown)

static int teardown(void **state)
{
	seeds_teardown();
	return robot_files_teardown(state);
}

/* ---- No memory for an attribute ---- */

static const char *lost; /* its name */

xmlChar *__real_xmlGetNoNsProp(const xmlNode *node, const xmlChar *name);
xmlChar *__wrap_xmlGetNoNsProp(const xmlNode *node, const xmlChar *name);

xmlChar *__wrap_xmlGetNoNsProp(const xmlNode *node, const xmlChar *name)
{
	if (lost && strcmp((const char *)name, lost) == 0)
		return NULL;
	return __real_xmlGetNoNsProp(node, name);
}

/* ---- Layers ---- */

/* The machine's directories, in the test's. */
static const struct places *places(void)
{
	static char robots[256], layers[256];
	static const struct places made = { .robots = robots, .layers = layers };

	snprintf(robots, sizeof(robots), "%s", robot_path("usr"));
	snprintf(layers, sizeof(layers), "%s", robot_path("etc"));
	return &made;
}

static struct description *load(const char *name)
{
	struct description *d;
	struct naohw_error err;

	if (description_load(name, places(), &d, &err) < 0)
		fail_msg("%s", err.message);
	return d;
}

static void check_refused(const char *name, int code, const char *says)
{
	struct description *d;
	struct naohw_error err;

	assert_int_equal(description_load(name, places(), &d, &err), code);
	assert_says(&err, says);
}

/* @key has this value, from that line of the file @path. */
static void check(const struct description *d, const char *key, const char *text, const char *path,
		  long line)
{
	const struct preference *found = description_find_key(d, key);

	if (!found)
		fail_msg("no %s", key);
	assert_string_equal(found->text, text);
	assert_string_equal(found->path, path);
	assert_int_equal(found->line, line);
}

/* [cfg-1] */
static void later_layers_overwrite(void **state)
{
	struct description *d;

	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0") FLOAT("B", "0") FLOAT("C", "0")
					 FLOAT("D", "0")));
	robot_file("Device_Head.xml", FILE_OF("\n" FLOAT("D", "1") FLOAT("C", "1")
					      FLOAT("B", "1")));
	robot_file("Device_Body.xml", FILE_OF(FLOAT("C", "2") FLOAT("D", "2")));
	robot_file("Device_Local.xml", FILE_OF("\n\n" FLOAT("D", "3") FLOAT("E", "3")));
	d = load(robot_directory());
	assert_int_equal(d->count, 5);
	check(d, LIST "A", "0", robot_path("Device.xml"), 2);
	check(d, LIST "B", "1", robot_path("Device_Head.xml"), 5);
	check(d, LIST "C", "2", robot_path("Device_Body.xml"), 2);
	check(d, LIST "D", "3", robot_path("Device_Local.xml"), 4);
	check(d, LIST "E", "3", robot_path("Device_Local.xml"), 5);
	description_free(d);
}

static void arrays_merge_leaf_by_leaf(void **state)
{
	struct description *d;

	(void)state;
	robot_file("Device.xml",
		   FILE_OF("<Preference memoryName=\"" LIST "H\" type=\"array\">\n"
			   "<Preference name=\"Gain\" type=\"float\" value=\"1\"/>\n"
			   "<Preference name=\"Offset\" type=\"float\" value=\"0\"/>\n"
			   "</Preference>\n"));
	robot_file("Device_Local.xml",
		   FILE_OF("<Preference memoryName=\"" LIST "H\" type=\"array\">\n"
			   "<Preference name=\"Offset\" type=\"float\" value=\"0.5\"/>\n"
			   "</Preference>\n"));
	d = load(robot_directory());
	assert_int_equal(d->count, 2);
	check(d, LIST "H/Gain", "1", robot_path("Device.xml"), 3);
	check(d, LIST "H/Offset", "0.5", robot_path("Device_Local.xml"), 3);
	description_free(d);
}

static void a_layer_may_change_the_type(void **state)
{
	struct description *d;

	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0")));
	robot_file("Device_Body.xml", FILE_OF("<Preference memoryName=\"" LIST "A\" "
					      "type=\"string\" value=\"x\"/>\n"));
	d = load(robot_directory());
	assert_int_equal(description_find_key(d, LIST "A")->type, NAOHW_KEY_STRING);
	description_free(d);
}

/* What a robot is called, and in which directory its layers are then. */
static void check_place(const char *name, const char *base, const char *directory)
{
	char layer[128];
	struct description *d;

	snprintf(layer, sizeof(layer), "%s/Device_Local.xml", directory);
	robot_file(base, FILE_OF(FLOAT("A", "0") FLOAT("B", "0")));
	d = load(name);
	check(d, LIST "A", "0", d->path[LAYER_DEVICE], 2);
	assert_string_equal(d->path[LAYER_LOCAL], robot_path(layer));
	description_free(d);
	robot_file(layer, FILE_OF(FLOAT("B", "1")));
	d = load(name);
	check(d, LIST "A", "0", d->path[LAYER_DEVICE], 2);
	check(d, LIST "B", "1", robot_path(layer), 2);
	description_free(d);
}

static void layers_are_beside_their_robot(void **state)
{
	(void)state;
	check_place("bioloid", "usr/bioloid.xml", "etc/bioloid");
	check_place(robot_path("one"), "one/Device.xml", "one");
	check_place(robot_path("two/Device.xml"), "two/Device.xml", "two");
	check_place(robot_path("three/walker.xml"), "three/walker.xml", "three/walker");
}

static void a_name_of_this_directory_has_layers(void **state)
{
	char before[256];
	struct description *d;

	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0")));
	robot_file("walker.xml", FILE_OF(FLOAT("A", "0")));
	robot_file("Device_Head.xml", FILE_OF(FLOAT("A", "1")));
	robot_file("walker/Device_Head.xml", FILE_OF("\n" FLOAT("A", "2")));
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(robot_directory()), 0);
	d = load("Device.xml");
	check(d, LIST "A", "1", "./Device_Head.xml", 2);
	description_free(d);
	d = load("walker.xml");
	check(d, LIST "A", "2", "walker/Device_Head.xml", 3);
	description_free(d);
	assert_int_equal(chdir(before), 0);
}

/* Then the installed one is not looked at, be it good or not. */
static void a_machine_may_have_its_own_robot(void **state)
{
	struct description *d;

	(void)state;
	robot_file("usr/bioloid.xml", "<torn>");
	robot_file("etc/bioloid/Device.xml", FILE_OF(FLOAT("A", "1")));
	d = load("bioloid");
	check(d, LIST "A", "1", robot_path("etc/bioloid/Device.xml"), 2);
	description_free(d);
	robot_file("etc/mine/Device.xml", FILE_OF(FLOAT("A", "2")));
	d = load("mine");
	check(d, LIST "A", "2", robot_path("etc/mine/Device.xml"), 2);
	description_free(d);
}

static void a_file_of_another_name_has_no_layers(void **state)
{
	struct description *d;

	(void)state;
	robot_file("robot", FILE_OF(FLOAT("A", "0")));
	d = load(robot_path("robot"));
	assert_null(d->path[LAYER_HEAD]);
	assert_null(d->path[LAYER_LOCAL]);
	description_free(d);
	/* and a file beside robot.xml is not where its layers are */
	robot_file("robot.xml", FILE_OF(FLOAT("A", "0")));
	description_free(load(robot_path("robot.xml")));
}

static void the_first_layer_must_be_there(void **state)
{
	(void)state;
	robot_file("etc/bioloid/Device_Local.xml", FILE_OF(FLOAT("A", "0")));
	check_refused("bioloid", -ENOENT, "no robot \"bioloid\"; \"ls ");
	check_refused(robot_path("etc/bioloid"), -ENOENT, "etc/bioloid/Device.xml: No such file");
}

/* Of a name that is misspelt, installed ones and the machine's own are told. */
static void the_nearest_robot_is_told(void **state)
{
	(void)state;
	robot_file("usr/darwin-op.xml", FILE_OF(FLOAT("A", "0")));
	robot_file("etc/walker/Device.xml", FILE_OF(FLOAT("A", "0")));
	check_refused("dawrin-op", -ENOENT, "no robot \"dawrin-op\", the nearest is darwin-op; \"ls ");
	check_refused("wlaker", -ENOENT, "the nearest is walker; \"ls ");
	check_refused("nao", -ENOENT, "no robot \"nao\"; \"ls ");
	check_refused("nao.xml", -ENOENT, "nao.xml: No such file");
}

static void faults_name_their_layer(void **state)
{
	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0")));
	robot_file("Device_Body.xml", FILE_OF("\n" FLOAT("A", "x")));
	check_refused(robot_directory(), -EINVAL,
		      "Device_Body.xml:3: " LIST "A: value \"x\", expected a number");
	robot_file("Device_Body.xml", FILE_OF("<a>"));
	check_refused(robot_directory(), -EINVAL, "Device_Body.xml:2: Opening and ending tag");
	robot_file("Device_Body.xml", FILE_OF("<Preference name=\"A\" type=\"int\" "
					      "value=\"1\"/>"));
	check_refused(robot_directory(), -EINVAL, "Device_Body.xml:2: a Preference without a key");
	robot_file("Device_Body.xml", "<Robot/>");
	check_refused(robot_directory(), -EINVAL, "Device_Body.xml:1: element <Robot>");
	robot_file("Device_Body.xml", "");
	check_refused(robot_directory(), -EINVAL, "Device_Body.xml:1: Document is empty");
}

static int try_to_load(void)
{
	struct description *d;

	return -description_load(robot_directory(), places(), &d, NULL);
}

static int try_to_load_installed(void)
{
	struct description *d;

	return -description_load("bioloid", places(), &d, NULL);
}

static void what_cannot_be_read_is_told(void **state)
{
	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0")));
	assert_int_equal(symlink("nowhere", robot_path("Device_Head.xml")), 0);
	check_refused(robot_directory(), -ENOENT, "Device_Head.xml: No such file");
	assert_int_equal(unlink(robot_path("Device_Head.xml")), 0);
	assert_int_equal(mkdir(robot_path("Device_Local.xml"), 0755), 0);
	check_refused(robot_directory(), -EISDIR, "Device_Local.xml: Is a directory");
	/* the disk with the layers is not mounted */
	robot_file("robot.xml", FILE_OF(FLOAT("A", "0")));
	assert_int_equal(symlink("nowhere", robot_path("robot")), 0);
	check_refused(robot_path("robot.xml"), -ENOENT, "robot: No such file");
	assert_int_equal(rmdir(robot_path("Device_Local.xml")), 0);
	robot_file("Device_Local.xml", FILE_OF(FLOAT("A", "1")));
	assert_int_equal(chmod(robot_path("Device_Local.xml"), 0), 0);
	assert_int_equal(robot_as_nobody(try_to_load), EACCES);
	/* nor may he look into the directory of an installed robot's layers */
	robot_file("usr/bioloid.xml", FILE_OF(FLOAT("A", "1")));
	robot_file("etc/bioloid/Device_Local.xml", FILE_OF(FLOAT("A", "1")));
	assert_int_equal(chmod(robot_path("etc/bioloid"), 0700), 0);
	assert_int_equal(robot_as_nobody(try_to_load_installed), EACCES);
}

/* Nobody writes to it: who waits for him waits for ever. */
static void check_fifo(const char *file, const char *name)
{
	(void)alarm(5);
	assert_int_equal(mkfifo(robot_path(file), 0666), 0);
	check_refused(name, -EINVAL, file);
	check_refused(name, -EINVAL, "not a regular file");
	assert_int_equal(unlink(robot_path(file)), 0);
	(void)alarm(0);
}

static void only_files_are_read(void **state)
{
	(void)state;
	check_fifo("Device.xml", robot_directory());
	check_fifo("robot.xml", robot_path("robot.xml"));
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0")));
	check_fifo("Device_Head.xml", robot_directory());
	check_fifo("Device_Local.xml", robot_directory());
	check_refused("/dev/null", -EINVAL, "/dev/null: not a regular file");
}

static void no_file_fills_the_memory(void **state)
{
	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0")));
	robot_file("Device_Local.xml", "");
	assert_int_equal(truncate(robot_path("Device_Local.xml"), (16 << 20) + 1), 0);
	check_refused(robot_directory(), -EFBIG, "Device_Local.xml: File too large");
	assert_int_equal(truncate(robot_path("Device_Local.xml"), 16 << 20), 0);
	check_refused(robot_directory(), -EINVAL, "Device_Local.xml:1: ");
}

static void booleans_have_four_words(void **state)
{
#define BOOL(name, value) \
	"<Preference memoryName=\"" LIST name "\" type=\"bool\" value=\"" value "\"/>\n"
	struct description *d;

	(void)state;
	robot_file("Device.xml", FILE_OF(BOOL("A", "true") BOOL("B", "false") BOOL("C", "1")
					 BOOL("D", "0")));
	d = load(robot_directory());
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(d->list[i].type, NAOHW_KEY_BOOL);
		assert_near(d->list[i].number, i % 2 ? 0 : 1, 0);
	}
	description_free(d);
	robot_file("Device_Head.xml", FILE_OF(BOOL("A", "True")));
	check_refused(robot_directory(), -EINVAL,
		      "Device_Head.xml:2: " LIST "A: value \"True\", expected true or false");
}

static char *many(unsigned int count)
{
	static const char one[] = FLOAT("n", "1");
	char *text = malloc(sizeof(OPEN) + count * sizeof(one) + sizeof(CLOSE));
	char *at = stpcpy(text, OPEN);

	for (unsigned int i = 0; i < count; i++)
		at = stpcpy(at, one);
	strcpy(at, CLOSE);
	return text;
}

/* However they are shared out. */
static void preferences_are_counted_in_all_layers(void **state)
{
	char *first = many(19990), *good = many(10), *bad = many(11);

	(void)state;
	robot_file("Device.xml", first);
	robot_file("Device_Local.xml", good);
	description_free(load(robot_directory()));
	robot_file("Device_Local.xml", bad);
	check_refused(robot_directory(), -EINVAL,
		      "Device_Local.xml:12: more than 20000 Preferences");
	free(first);
	free(good);
	free(bad);
}

/* A file that uses an entity of so many comments. */
static char *comments(unsigned int count, unsigned int uses)
{
	static const char head[] = "<!DOCTYPE ModulePreference [<!ENTITY e '";
	static const char body[] = "'>]>\n" OPEN;
	char *text = malloc(sizeof(head) + 8 * count + sizeof(body) + 3 * uses + sizeof(CLOSE));
	char *at = stpcpy(text, head);

	for (unsigned int i = 0; i < count; i++)
		at = stpcpy(at, "<!---->");
	at = stpcpy(at, body);
	for (unsigned int i = 0; i < uses; i++)
		at = stpcpy(at, "&e;");
	strcpy(at, CLOSE);
	return text;
}

/* Each use of an entity walks all of its nodes anew. */
static void nodes_are_counted_in_all_layers(void **state)
{
	char *half = comments(1000, 499), *more = comments(1000, 501);

	(void)state;
	robot_file("Device.xml", half);
	robot_file("Device_Body.xml", half);
	description_free(load(robot_directory()));
	robot_file("Device_Body.xml", more);
	check_refused(robot_directory(), -EINVAL,
		      "Device_Body.xml:2: more than 1000000 nodes, those of an entity counted at "
		      "each use");
	free(half);
	free(more);
}

/* What costs nothing may be there as often as it likes. */
static void uses_of_an_entity_are_not_counted(void **state)
{
	char *many = comments(0, 20001);

	(void)state;
	robot_file("Device.xml", many);
	description_free(load(robot_directory()));
	free(many);
}

/* A file that uses an entity of one array of this name. */
static char *arrays(unsigned int length, unsigned int uses)
{
	static const char head[] = "<!DOCTYPE ModulePreference [<!ENTITY e '"
				   "<Preference type=\"array\" memoryName=\"Device/";
	static const char body[] = "\"/>'>]>\n" OPEN;
	char *text = malloc(sizeof(head) + length + sizeof(body) + 3 * uses + sizeof(CLOSE));
	char *at = stpcpy(text, head);

	memset(at, 'x', length);
	at = stpcpy(at + length, body);
	for (unsigned int i = 0; i < uses; i++)
		at = stpcpy(at, "&e;");
	strcpy(at, CLOSE);
	return text;
}

/* All attributes are copied at each use, before anybody sees that one is too long. */
static void attributes_are_counted_by_their_length(void **state)
{
	char *few = arrays(100, 10000), *many = arrays(100, 200000);

	(void)state;
	robot_file("Device.xml", few);
	description_free(load(robot_directory()));
	robot_file("Device.xml", many);
	check_refused(robot_directory(), -EINVAL, "Device.xml:2: more than 1000000 nodes");
	free(few);
	free(many);
}

/* Of each two of a tag libxml sees whether they are the same one. */
static void a_tag_has_not_any_number_of_attributes(void **state)
{
	static const char head[] = OPEN "<Preference memoryName=\"" LIST "A\" type=\"int\" "
				   "value=\"1\"";
	static const char tail[] = "/>" CLOSE;
	char *text = malloc(sizeof(head) + 30000 * sizeof(" a12345=''") + sizeof(tail));
	char *at = stpcpy(text, head);

	(void)state;
	for (unsigned int i = 0; i < 30000; i++)
		at += sprintf(at, " a%u=''", i);
	strcpy(at, tail);
	robot_file("Device.xml", text);
	check_refused(robot_directory(), -EINVAL, "more than 16384 bytes of different names");
	free(text);
}

#define BEFORE "<!DOCTYPE ModulePreference [<!ENTITY e '1'>]>\n" OPEN "\n"

static void check_attribute(const char *text, const char *says)
{
	robot_file("Device_Local.xml", text);
	check_refused(robot_directory(), -EINVAL, says);
}

/* There they would be written out, as often as there are attributes, and nobody counts. */
static void entities_are_not_for_attributes(void **state)
{
	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A", "0")));
	check_attribute(BEFORE FLOAT("A", "&e;") CLOSE,
			"Device_Local.xml:4: entity \"e\" in the attribute value, expected its "
			"text");
	check_attribute(BEFORE FLOAT("A&e;", "1") CLOSE,
			"Device_Local.xml:4: entity \"e\" in the attribute memoryName");
	check_attribute("<!DOCTYPE ModulePreference [<!ENTITY e '1'><!ENTITY f '"
			"<Preference memoryName=\"" LIST "A\" type=\"int\" value=\"&e;\"/>'>]>\n"
			OPEN "\n&f;" CLOSE,
			"Device_Local.xml:4: entity \"e\" in the attribute value");
	robot_file("Device_Local.xml", FILE_OF(FLOAT("A", "&#49;")));
	description_free(load(robot_directory()));
}

static void check_lost(const char *name)
{
	lost = name;
	check_refused(robot_directory(), -ENOMEM, "Device.xml: out of memory");
	lost = NULL;
}

/* What is there and was not given is not what is missing. */
static void no_memory_is_no_missing_attribute(void **state)
{
	(void)state;
	robot_file("Device.xml",
		   FILE_OF("<Preference memoryName=\"" LIST "H\" type=\"array\">\n"
			   "<Preference name=\"A\" type=\"float\" value=\"1\"/></Preference>\n"));
	check_lost("memoryName");
	check_lost("name");
	check_lost("type");
	check_lost("value");
	description_free(load(robot_directory()));
}

/* Of one layer another knows nothing. */
static void entities_are_of_their_file(void **state)
{
	(void)state;
	robot_file("Device.xml", "<!DOCTYPE ModulePreference [<!ENTITY e ' '>]>\n" OPEN "&e;"
		   CLOSE);
	description_free(load(robot_directory()));
	robot_file("Device_Head.xml", OPEN "&e;" CLOSE);
	check_refused(robot_directory(), -EINVAL, "Device_Head.xml:2: Entity 'e' not defined");
}

/* ---- A naive model: a list in which the last one wins ---- */

#define POOL	   12
#define ENTRIES	   20
#define ROUNDS	   200

struct entry {
	unsigned int key; /* of the pool */
	unsigned int type;
	char text[16];
};

static const char *const pool[POOL] = {
	"A",	   "B",	      "H/Gain", "H/Offset",   "H/S/Gain", "H/S/Offset",
	"H/S/Max", "HH/Gain", "I",	"I2/S/T/Min", "I2/S/T/U", "I2/S/V",
};

static struct entry make_entry(void)
{
	struct entry entry = { .key = chance(POOL), .type = chance(4) };
	static const char *const bools[] = { "true", "false", "1", "0" };

	switch (entry.type) {
	case 0:
		snprintf(entry.text, sizeof(entry.text), "%u.%u", chance(100), chance(10));
		break;
	case 1:
		snprintf(entry.text, sizeof(entry.text), "-%u", chance(100));
		break;
	case 2:
		snprintf(entry.text, sizeof(entry.text), "text %u", chance(100));
		break;
	default:
		snprintf(entry.text, sizeof(entry.text), "%s", bools[chance(4)]);
		break;
	}
	return entry;
}

/* Flat, in arrays to any depth, or by way of an entity. */
static void write_entry(FILE *file, const struct entry *entry)
{
	static const char *const types[] = { "float", "int", "string", "bool" };
	const char *name = pool[entry->key], *slash = strchr(name, '/');
	unsigned int arrays = 0;

	if (slash && chance(2)) {
		fprintf(file, "<Preference memoryName='" LIST "%.*s' type='array'>",
			(int)(slash - name), name);
		for (arrays = 1; (slash = strchr(name = slash + 1, '/')) && chance(2); arrays++)
			fprintf(file, "<Preference name='%.*s' type='array'>", (int)(slash - name),
				name);
		fprintf(file, "<Preference name='%s'", name);
	} else {
		fprintf(file, "<Preference memoryName='" LIST "%s'", name);
	}
	fprintf(file, " type='%s' value='%s'/>", types[entry->type], entry->text);
	while (arrays--)
		fputs("</Preference>", file);
	fputs(chance(2) ? "\n" : "<!-- -->", file);
}

static void write_layer(const char *name, const struct entry *entry, unsigned int count)
{
	FILE *file = fopen(robot_path(name), "w");
	unsigned int shared = chance(count + 1);

	assert_non_null(file);
	fputs("<!DOCTYPE ModulePreference [<!ENTITY some \"", file);
	for (unsigned int i = 0; i < shared; i++)
		write_entry(file, &entry[i]);
	fputs("\">]>\n" OPEN "&some;", file);
	for (unsigned int i = shared; i < count; i++)
		write_entry(file, &entry[i]);
	fputs(CLOSE, file);
	assert_int_equal(fclose(file), 0);
}

static const char *const names[LAYERS] = { "Device.xml", "Device_Head.xml", "Device_Body.xml",
					   "Device_Local.xml" };

static void check_against(const struct entry *last, const char *const *where)
{
	struct description *d = load(robot_directory());
	size_t count = 0;

	for (unsigned int i = 0; i < POOL; i++) {
		char key[64];
		const struct preference *found;

		snprintf(key, sizeof(key), LIST "%s", pool[i]);
		found = description_find_key(d, key);
		assert_int_equal(!!found, !!where[i]);
		if (!found)
			continue;
		count++;
		assert_int_equal(found->type, last[i].type);
		assert_string_equal(found->text, last[i].text);
		assert_string_equal(found->path, robot_path(where[i]));
	}
	assert_int_equal(d->count, count);
	description_free(d);
}

static void any_layers(void)
{
	struct entry last[POOL] = { 0 };
	const char *where[POOL] = { 0 };

	for (unsigned int layer = 0; layer < LAYERS; layer++) {
		struct entry entry[ENTRIES];
		unsigned int count = chance(ENTRIES);

		unlink(robot_path(names[layer]));
		if (layer && chance(4) == 0)
			continue;
		for (unsigned int i = 0; i < count; i++) {
			entry[i] = make_entry();
			last[entry[i].key] = entry[i];
			where[entry[i].key] = names[layer];
		}
		write_layer(names[layer], entry, count);
	}
	check_against(last, where);
}

static void the_last_one_wins(void **state)
{
	(void)state;
	each_seed(ROUNDS, any_layers);
}

static void shuffle(struct entry *entry, unsigned int count)
{
	for (unsigned int i = count; i > 1; i--) {
		unsigned int other = chance(i);
		struct entry swapped = entry[other];

		entry[other] = entry[i - 1];
		entry[i - 1] = swapped;
	}
}

static void any_order(void)
{
	struct entry entry[POOL], shuffled[POOL];
	const char *where[POOL];

	for (unsigned int i = 0; i < POOL; i++) {
		entry[i] = make_entry();
		entry[i].key = i;
		where[i] = names[LAYER_DEVICE];
	}
	memcpy(shuffled, entry, sizeof(entry));
	shuffle(shuffled, POOL);
	write_layer(names[LAYER_DEVICE], shuffled, POOL);
	check_against(entry, where);
}

static void order_is_for_equal_keys_only(void **state)
{
	(void)state;
	each_seed(ROUNDS, any_order);
}

/* Of a fault in one layer, whatever the others have: none of them is taken, and it is named. */
static void any_fault(void)
{
	static const char *const faults[] = {
		FLOAT("A", "x"), FLOAT("A", "nan"), "<Preference name='A'/>", "<a>", "&none;",
		"<Preference memoryName='" LIST "A' type='int' value='0.5'/>",
	};
	unsigned int bad = chance(LAYERS);

	for (unsigned int layer = 0; layer < LAYERS; layer++) {
		struct entry entry[ENTRIES];
		unsigned int count = chance(ENTRIES);
		FILE *file;

		for (unsigned int i = 0; i < count; i++)
			entry[i] = make_entry();
		write_layer(names[layer], entry, count);
		if (layer != bad)
			continue;
		file = fopen(robot_path(names[layer]), "r+");
		assert_non_null(file);
		assert_int_equal(fseek(file, -(long)strlen(CLOSE), SEEK_END), 0);
		fputs(faults[chance(sizeof(faults) / sizeof(faults[0]))], file);
		fputs(CLOSE, file);
		assert_int_equal(fclose(file), 0);
	}
	check_refused(robot_directory(), -EINVAL, robot_path(names[bad]));
}

/* ---- Bases ---- */

#define TEXT(key, value) \
	"<Preference memoryName=\"" key "\" type=\"string\" value=\"" value "\"/>\n"
#define BASE(value) TEXT("Device/Base", value)

static void a_base_comes_before_its_description(void **state)
{
	struct description *d;

	(void)state;
	robot_file("whole.xml", FILE_OF(FLOAT("A", "0") FLOAT("B", "0")));
	robot_file("part.xml", FILE_OF(FLOAT("B", "1") BASE("whole")));
	robot_file("part/Device_Local.xml", FILE_OF(FLOAT("A", "2")));
	d = load(robot_path("part.xml"));
	check(d, LIST "A", "2", robot_path("part/Device_Local.xml"), 2);
	check(d, LIST "B", "1", robot_path("part.xml"), 2);
	description_free(d);
}

static void bases_have_bases_and_leave_out(void **state)
{
	struct description *d;

	(void)state;
	robot_file("a.xml", FILE_OF(FLOAT("LHand/Gain", "0") FLOAT("LHandle/Gain", "0")
				    FLOAT("RHand/Gain", "0") FLOAT("Head/Led/Gain", "0")
				    FLOAT("Head/Touch/Gain", "0")
				    TEXT("Device/DeviceList/RHand/Type", "x")));
	robot_file("b.xml", FILE_OF(BASE("a.xml") TEXT("Device/Without", "Head/Led  RHand")
				    FLOAT("RHand/Offset", "1")));
	robot_file("c.xml", FILE_OF(BASE("b") TEXT("Device/Without", "LHand\n")));
	d = load(robot_path("c.xml"));
	assert_null(description_find_key(d, LIST "LHand/Gain"));
	assert_null(description_find_key(d, LIST "RHand/Gain"));
	assert_null(description_find_key(d, LIST "Head/Led/Gain"));
	assert_null(description_find_key(d, "Device/DeviceList/RHand/Type"));
	check(d, LIST "LHandle/Gain", "0", robot_path("a.xml"), 3);
	check(d, LIST "Head/Touch/Gain", "0", robot_path("a.xml"), 6);
	check(d, LIST "RHand/Offset", "1", robot_path("b.xml"), 4);
	description_free(d);
}

static void a_base_is_beside_or_installed(void **state)
{
	struct description *d;

	(void)state;
	robot_file("usr/nao.xml", FILE_OF(FLOAT("A", "1")));
	robot_file("usr/nao-h21.xml", FILE_OF(BASE("nao")));
	robot_file("mine/robot.xml", FILE_OF(BASE("nao")));
	robot_file("mine/other.xml", FILE_OF(BASE("../usr/nao.xml")));
	d = load("nao-h21");
	check(d, LIST "A", "1", robot_path("usr/nao.xml"), 2);
	description_free(d);
	d = load(robot_path("mine/robot.xml"));
	check(d, LIST "A", "1", robot_path("usr/nao.xml"), 2);
	description_free(d);
	d = load(robot_path("mine/other.xml"));
	check(d, LIST "A", "1", robot_path("mine/../usr/nao.xml"), 2);
	description_free(d);
}

static void a_base_that_is_not_there_is_told(void **state)
{
	(void)state;
	robot_file("a.xml", FILE_OF("\n" BASE("nowhere")));
	check_refused(robot_path("a.xml"), -ENOENT, "a.xml:3: Device/Base: \"nowhere\" is ");
	robot_file("circle.xml", FILE_OF(BASE("circle")));
	check_refused(robot_path("circle.xml"), -EINVAL,
		      "circle.xml:2: Device/Base: \"circle\", expected no more than 4");
}

/* ---- Aliases ---- */

static void an_alias_has_all_of_what_it_names(void **state)
{
	struct description *d;

	(void)state;
	robot_file("Device.xml", FILE_OF(TEXT(LIST "I/AccX/Sensor/Channel", "in_accel_x")
					 FLOAT("I/AccX/Sensor/Gain", "2")
					 TEXT(LIST "J/X/Alias", "I/AccX/Sensor")));
	d = load(robot_directory());
	check(d, LIST "J/X/Channel", "in_accel_x", robot_path("Device.xml"), 2);
	check(d, LIST "J/X/Gain", "2", robot_path("Device.xml"), 3);
	check(d, LIST "J/X/Label", "I", robot_path("Device.xml"), 4);
	description_free(d);
}

static void a_wrong_alias_is_refused(void **state)
{
	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A/Sensor/Gain", "2")
					 TEXT(LIST "B/Sensor/Alias", "C/Sensor")));
	check_refused(robot_directory(), -EINVAL, "Device.xml:3: " LIST "B/Sensor/Alias: value "
						  "\"C/Sensor\", expected a sensor");
	robot_file("Device.xml", FILE_OF(FLOAT("A/Sensor/Gain", "2")
					 TEXT(LIST "B/Sensor/Alias", "C/Sensor")
					 TEXT(LIST "C/Sensor/Alias", "A/Sensor")));
	check_refused(robot_directory(), -EINVAL, "expected what is no alias itself");
	robot_file("Device.xml", FILE_OF(FLOAT("A/Sensor/Gain", "2") FLOAT("B/Sensor/Gain", "1")
					 TEXT(LIST "B/Sensor/Alias", "A/Sensor")));
	check_refused(robot_directory(), -EINVAL, "Device.xml:3: " LIST "B/Sensor/Gain: is another name of "
						  "A/Sensor/Gain, expected that");
}

/* Each of the names is short enough, but not what comes of both. */
static void a_long_alias_is_refused(void **state)
{
#define LONG "An_array_with_a_name_of_almost_a_hundred_characters_of_which_no_program_knows_what_they_mean_"

	(void)state;
	robot_file("Device.xml", FILE_OF(FLOAT("A/" LONG LONG, "2")
					 TEXT(LIST LONG LONG "/Alias", "A")));
	check_refused(robot_directory(), -EINVAL, "Device.xml:3: " LIST LONG LONG "/Alias: value "
						  "\"A\", expected keys of less than 256");
}

static void a_fault_in_any_layer_refuses_all(void **state)
{
	(void)state;
	each_seed(ROUNDS, any_fault);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(later_layers_overwrite),
		TEST(arrays_merge_leaf_by_leaf),
		TEST(a_layer_may_change_the_type),
		TEST(layers_are_beside_their_robot),
		TEST(a_name_of_this_directory_has_layers),
		TEST(a_machine_may_have_its_own_robot),
		TEST(a_file_of_another_name_has_no_layers),
		TEST(the_first_layer_must_be_there),
		TEST(the_nearest_robot_is_told),
		TEST(faults_name_their_layer),
		TEST(what_cannot_be_read_is_told),
		TEST(only_files_are_read),
		TEST(no_file_fills_the_memory),
		TEST(booleans_have_four_words),
		TEST(preferences_are_counted_in_all_layers),
		TEST(nodes_are_counted_in_all_layers),
		TEST(uses_of_an_entity_are_not_counted),
		TEST(attributes_are_counted_by_their_length),
		TEST(a_tag_has_not_any_number_of_attributes),
		TEST(entities_are_not_for_attributes),
		TEST(no_memory_is_no_missing_attribute),
		TEST(entities_are_of_their_file),
		TEST(the_last_one_wins),
		TEST(order_is_for_equal_keys_only),
		TEST(a_fault_in_any_layer_refuses_all),
		TEST(a_base_comes_before_its_description),
		TEST(bases_have_bases_and_leave_out),
		TEST(a_base_is_beside_or_installed),
		TEST(a_base_that_is_not_there_is_told),
		TEST(an_alias_has_all_of_what_it_names),
		TEST(a_wrong_alias_is_refused),
		TEST(a_long_alias_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
