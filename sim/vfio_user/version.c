// SPDX-License-Identifier: Apache-2.0
/*
 * The version message and the JSON in it: RFC 8259, UTF-8, with a limit of depth. The announced
 * capabilities do not limit this server; they are checked so that a wrong client gets an error
 * here.
 */
#include "version.h"

#include <errno.h>
#include <string.h>

#define DEPTH_MAX 32
#define NAME_MAX 32
/* More descriptors with one message than Linux passes, and more */
#define CLIENT_FDS_MAX 1024

static const struct {
	struct vfio_user_version version;
	char capabilities[sizeof(VFIO_USER_CAPABILITIES)];
} reply = { { 0, 0 }, VFIO_USER_CAPABILITIES };

const void *vfio_user_version_reply(size_t *bytes)
{
	*bytes = sizeof(reply.version) + sizeof(reply.capabilities);
	return &reply;
}

/* --- what the members of an object have to be ---------------------------------------------- */

enum kind { KIND_ANY, KIND_INTEGER, KIND_BOOLEAN, KIND_OBJECT };

/**
 * struct member - of an object; a table ends with a name of NULL
 * @name: what it is called
 * @kind: what it has to be
 * @minimum: of an integer
 * @maximum: of an integer
 * @members: of an object
 */
struct member {
	const char *name;
	enum kind kind;
	uint64_t minimum, maximum;
	const struct member *members;
};

static const struct member migration_members[] = {
	{ "pgsize", KIND_INTEGER, 1, UINT64_MAX, NULL },
	{ "max_bitmap_size", KIND_INTEGER, 0, UINT64_MAX, NULL },
	{ 0 },
};

static const struct member twin_socket_members[] = {
	{ "supported", KIND_BOOLEAN, 0, 0, NULL },
	{ "fd_index", KIND_INTEGER, 0, UINT64_MAX, NULL },
	{ 0 },
};

static const struct member capability_members[] = {
	{ "max_msg_fds", KIND_INTEGER, 0, CLIENT_FDS_MAX, NULL },
	{ "max_data_xfer_size", KIND_INTEGER, 0, UINT64_MAX, NULL },
	{ "max_dma_maps", KIND_INTEGER, 0, UINT64_MAX, NULL },
	/* some page size that is made of ours */
	{ "pgsizes", KIND_INTEGER, VFIO_USER_PAGE_BYTES, UINT64_MAX, NULL },
	{ "migration", KIND_OBJECT, 0, 0, migration_members },
	{ "twin_socket", KIND_OBJECT, 0, 0, twin_socket_members },
	{ "write_multiple", KIND_BOOLEAN, 0, 0, NULL },
	{ 0 },
};

static const struct member top_members[] = {
	{ "capabilities", KIND_OBJECT, 0, 0, capability_members },
	{ 0 },
};

static const struct member top = { "", KIND_OBJECT, 0, 0, top_members };
static const struct member any = { "", KIND_ANY, 0, 0, NULL };

static const struct member *find_member(const struct member *object, const char *name)
{
	const struct member *member;

	for (member = object->members; member && member->name; member++)
		if (!strcmp(member->name, name))
			return member;
	return &any;
}

/* --- UTF-8 ------------------------------------------------------------------------------------ */

/* Bytes of the character that begins there, or 0. The text ends in NUL. */
static unsigned int character_bytes(const uint8_t *text)
{
	unsigned int bytes = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4, i;

	if ((text[0] >= 0x80 && text[0] < 0xc2) || text[0] > 0xf4)
		return 0;
	for (i = 1; i < bytes; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* longer than need be, a surrogate, beyond the last one */
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return bytes;
}

static bool is_utf8(const uint8_t *text)
{
	unsigned int bytes;

	for (; *text; text += bytes) {
		bytes = character_bytes(text);
		if (!bytes)
			return false;
	}
	return true;
}

/* --- JSON: each function stands behind what it has read, or says false ------------------------- */

static void skip_space(const char **at)
{
	*at += strspn(*at, " \t\n\r");
}

static bool skip(const char **at, char character)
{
	skip_space(at);
	if (**at != character)
		return false;
	++*at;
	return true;
}

static bool is_word(const char **at, const char *word)
{
	size_t bytes = strlen(word);

	if (strncmp(*at, word, bytes))
		return false;
	*at += bytes;
	return true;
}

/* Behind "\u": four digits. */
static bool hexadecimal(const char **at, unsigned int *value)
{
	static const char sixteen[] = "0123456789abcdef0123456789ABCDEF";
	unsigned int i;

	*value = 0;
	for (i = 0; i < 4; i++, ++*at) {
		const char *digit = **at ? strchr(sixteen, **at) : NULL;

		if (!digit)
			return false;
		*value = *value << 4 | ((digit - sixteen) & 15);
	}
	return true;
}

/* What an escaped character means; what no name of ours holds is an 0xff. */
static bool escaped(const char **at, char *meaning)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *letter = **at ? strchr(letters, **at) : NULL;
	unsigned int value;

	if (letter) {
		*meaning = meanings[letter - letters];
		++*at;
		return true;
	}
	if (**at != 'u')
		return false;
	++*at;
	if (!hexadecimal(at, &value))
		return false;
	*meaning = value && value < 0x80 ? (char)value : (char)0xff;
	return true;
}

/* Its first NAME_MAX - 1 bytes go to name: no name of ours is as long. */
static bool string(const char **at, char name[NAME_MAX])
{
	size_t bytes = 0;

	if (!skip(at, '"'))
		return false;
	while (**at != '"') {
		char character = **at;

		if ((unsigned char)character < 0x20) /* the end, too */
			return false;
		++*at;
		if (character == '\\' && !escaped(at, &character))
			return false;
		if (bytes < NAME_MAX - 1)
			name[bytes++] = character;
	}
	++*at;
	name[bytes] = 0;
	return true;
}

static size_t digits(const char **at)
{
	size_t count = strspn(*at, "0123456789");

	*at += count;
	return count;
}

static bool number(const char **at, const struct member *member)
{
	bool negative = **at == '-', whole = true;
	uint64_t total = 0;
	const char *first;

	*at += negative;
	first = *at;
	if (!digits(at) || (*first == '0' && *at - first > 1))
		return false;
	for (; first < *at; first++)
		if (__builtin_mul_overflow(total, 10, &total) ||
		    __builtin_add_overflow(total, (uint64_t)(*first - '0'), &total))
			total = UINT64_MAX;
	if (**at == '.') {
		whole = false;
		++*at;
		if (!digits(at))
			return false;
	}
	if (**at == 'e' || **at == 'E') {
		whole = false;
		++*at;
		*at += **at == '+' || **at == '-';
		if (!digits(at))
			return false;
	}
	if (member->kind == KIND_ANY)
		return true;
	return member->kind == KIND_INTEGER && whole && !(negative && total) &&
	       total >= member->minimum && total <= member->maximum;
}

static bool value(const char **at, const struct member *member, unsigned int depth);

static bool object(const char **at, const struct member *member, unsigned int depth)
{
	char name[NAME_MAX];

	skip(at, '{');
	if (skip(at, '}'))
		return true;
	do {
		if (!string(at, name) || !skip(at, ':') ||
		    !value(at, find_member(member, name), depth))
			return false;
	} while (skip(at, ','));
	return skip(at, '}');
}

static bool array(const char **at, unsigned int depth)
{
	skip(at, '[');
	if (skip(at, ']'))
		return true;
	do {
		if (!value(at, &any, depth))
			return false;
	} while (skip(at, ','));
	return skip(at, ']');
}

static bool value(const char **at, const struct member *member, unsigned int depth)
{
	const bool free = member->kind == KIND_ANY;
	char ignored[NAME_MAX];

	skip_space(at);
	if (depth == DEPTH_MAX)
		return false;
	switch (**at) {
	case '{':
		return (free || member->kind == KIND_OBJECT) && object(at, member, depth + 1);
	case '[':
		return free && array(at, depth + 1);
	case '"':
		return free && string(at, ignored);
	case 't':
		return (free || member->kind == KIND_BOOLEAN) && is_word(at, "true");
	case 'f':
		return (free || member->kind == KIND_BOOLEAN) && is_word(at, "false");
	case 'n':
		return free && is_word(at, "null");
	}
	return number(at, member);
}

static bool is_proposal(const uint8_t *text, size_t bytes)
{
	const char *at = (const char *)text;

	if (memchr(text, 0, bytes) != text + bytes - 1 || !is_utf8(text))
		return false;
	if (!value(&at, &top, 0))
		return false;
	skip_space(&at);
	return !*at;
}

int vfio_user_version_check(const struct vfio_user_message *message)
{
	const struct vfio_user_version *version = (const void *)message->payload;

	if (message->header.command != VFIO_USER_VERSION)
		return EPROTO;
	if (message->bytes < sizeof(*version) || version->major != reply.version.major ||
	    message->fd_count || message->too_many_fds)
		return EINVAL;
	if (message->bytes == sizeof(*version))
		return 0;
	return is_proposal(message->payload + sizeof(*version), message->bytes - sizeof(*version))
		       ? 0
		       : EINVAL;
}
